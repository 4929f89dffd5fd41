// SPDX-License-Identifier: Apache-2.0

package sandbox

import "golang.org/x/sys/unix"

// allowed contains the system calls that the filter allows. These are the calls that Go's runtime makes after all files have
// been opened, and the calls of the C library, which some builds use. They were found with strace.
var allowed = []rule{
	{call: unix.SYS_FUTEX},
	{call: unix.SYS_NANOSLEEP},
	{call: unix.SYS_EPOLL_PWAIT},
	{call: unix.SYS_READ},
	{call: unix.SYS_WRITE},
	{call: unix.SYS_PREAD64}, // reads /proc/self/statm
	{call: unix.SYS_GETRUSAGE},
	{call: unix.SYS_SCHED_YIELD},
	{call: unix.SYS_CLOCK_GETTIME},
	{call: unix.SYS_TIMER_SETTIME},
	{call: unix.SYS_RESTART_SYSCALL},
	{call: unix.SYS_GETPID},
	{call: unix.SYS_GETTID},
	{call: unix.SYS_GETRANDOM},

	// The call may map only private memory that is not a file and that counts toward RLIMIT_DATA.
	{unix.SYS_MMAP, []check{{3, 0xf | unix.MAP_ANONYMOUS | unix.MAP_HUGETLB | unix.MAP_GROWSDOWN, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS}}},
	{call: unix.SYS_MUNMAP},
	{call: unix.SYS_MPROTECT},
	{call: unix.SYS_MADVISE},
	{call: unix.SYS_BRK},
	{unix.SYS_PRLIMIT64, []check{{0, full, 0}, {1, full, unix.RLIMIT_DATA}}}, // only for this process

	// Signals are allowed only to this process.
	{unix.SYS_TGKILL, []check{{0, full, ownPID}}},
	{call: unix.SYS_RT_SIGACTION},
	{call: unix.SYS_RT_SIGPROCMASK},
	{call: unix.SYS_RT_SIGRETURN},
	{call: unix.SYS_SIGALTSTACK},

	// New threads are allowed if they share everything except the stack with this process.
	{unix.SYS_CLONE, []check{{0, ^uint32(threadExtras), threadFlags}}},
	{call: unix.SYS_SET_ROBUST_LIST},
	{call: unix.SYS_RSEQ},
	{call: unix.SYS_EXIT},
	{call: unix.SYS_EXIT_GROUP},
}

const (
	threadFlags  = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD
	threadExtras = unix.CLONE_SYSVSEM | unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_SETTID | unix.CLONE_CHILD_CLEARTID
)

// rule allows a system call if its arguments pass all checks.
type rule struct {
	call   uint32
	checks []check
}

// check takes the lower half of an argument, keeps the bits that are set in mask, and compares them with want.
type check struct {
	arg        int
	mask, want uint32
}

const (
	full   = 0xffffffff // mask of all bits of an argument
	ownPID = 0xffffffff // placeholder, replaced by the process ID of this process
)

// A filter reads a struct seccomp_data, which contains the parts of a system call at these offsets. The lower half of an argument
// comes first, because all processors for which there is a filter are little-endian.
const (
	offsetCall = 0
	offsetArch = 4
	offsetArgs = 16
)

// foreign is the lowest number of a call of x32, a second interface for system calls that amd64 processors have.
const foreign = 0x40000000

const (
	allow  = unix.SECCOMP_RET_ALLOW
	kill   = unix.SECCOMP_RET_KILL_PROCESS
	refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	absent = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// sieve returns the filter for the system calls of a processor architecture and for the process with number pid. The filter
// ends a process that makes a call for another architecture or a call of x32. Any other call that is not allowed fails with
// "operation not permitted".
//
//	another architecture ────────────> kill
//	a call of x32 ───────────────────> kill
//	clone3 ──────────────────────────> "no such call", so that the C library uses clone, whose flags can be seen
//	allowed[0], and its arguments pass ──> allow, or refuse
//	...
//	refuse
func sieve(arch, pid uint32) []unix.SockFilter {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	unless := func(test uint16, k uint32, skip int) unix.SockFilter { // unless the test is true, the filter skips the number of instructions in skip
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jf: uint8(skip)}
	}
	answer := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	filter := []unix.SockFilter{
		load(offsetArch),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: arch, Jt: 1},
		answer(kill),
		load(offsetCall),
		unless(unix.BPF_JGE, foreign, 1), answer(kill),
		unless(unix.BPF_JEQ, unix.SYS_CLONE3, 1), answer(absent),
	}
	for _, r := range allowed {
		if len(r.checks) == 0 {
			filter = append(filter, unless(unix.BPF_JEQ, r.call, 1), answer(allow))
			continue
		}
		filter = append(filter, unless(unix.BPF_JEQ, r.call, 4*len(r.checks)+1))
		for _, c := range r.checks {
			if c.want == ownPID {
				c.want = pid
			}
			filter = append(filter,
				load(offsetArgs+8*uint32(c.arg)),
				unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: c.mask},
				unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: c.want, Jt: 1},
				answer(refuse))
		}
		filter = append(filter, answer(allow))
	}
	return append(filter, answer(refuse))
}
