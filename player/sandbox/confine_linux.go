// SPDX-License-Identifier: Apache-2.0

package sandbox

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// keepFiles marks the descriptors of this process, so that a child inherits the standard ones alone. It needs Linux 5.11.
func keepFiles() { _ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) }

// enterNamespaces starts this binary again, in namespaces of its own, waits for its end, and ends too. The user has no name
// and no rights there. It returns if the system does not allow it. The child does this because it takes a fork, which
// would stop a server with much memory for long.
func enterNamespaces() {
	cmd := &exec.Cmd{Path: "/proc/self/exe", Args: []string{called}, Env: []string{}, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWIPC, Pdeathsig: unix.SIGKILL,
	}
	if cmd.Start() != nil {
		return
	}
	closeAll(os.Stdin, os.Stdout, os.Stderr) // the pipes end when the child does
	_ = cmd.Wait()                           // the parent sees it by the pipes
	os.Exit(0)
}

// confine takes from this process, for ever, everything that a program must not have even if it broke out of its interpreter.
// A system that lacks one of the walls goes without it. The caller must not have started anything.
func confine() (w Walls) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	time.Sleep(time.Nanosecond) // the runtime opens what it needs to wait, which it cannot do later
	idMap, err := os.ReadFile("/proc/self/uid_map")
	w.Namespaces = err == nil && len(idMap) == 0
	statm, _ = os.Open("/proc/self/statm")
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // the first to go when the machine has no memory left
	makeEndTimer()
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil {
		w.Limits = limit()
		return w
	}
	w.Landlock = lockFiles() // before limits, since it opens something
	w.Limits = limit()
	if auditArch == 0 {
		return w
	}
	filter := sieve(auditArch, uint32(os.Getpid()))
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	// On all threads at once. An error means a kernel without such filters.
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	w.Filter = errno == 0 && thread == 0 // otherwise the thread that could not take the filter
	return w
}

// mostData bounds the memory that the child can write to, all in all. It is far more than any program's limit, because
// a module of WebAssembly is also compiled in it.
const mostData = 1 << 30

// limit sets limits of the system, and reports whether all of them are set. RLIMIT_NPROC is not among them: before Linux 5.14
// the threads of the server would count.
func limit() bool {
	most := map[int]uint64{
		unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: 0, unix.RLIMIT_NOFILE: 0, unix.RLIMIT_MEMLOCK: 0, unix.RLIMIT_MSGQUEUE: 0,
		unix.RLIMIT_DATA: mostData,
	}
	all := true
	for what, n := range most {
		all = unix.Setrlimit(what, &unix.Rlimit{Cur: n, Max: n}) == nil && all
	}
	return all
}

// lockFiles forbids this process all files, ports and signals to others by Landlock, and reports whether that stands. It needs
// Linux 5.13 and a program without C: only then can Go do it for all threads.
func lockFiles() bool {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return false
	}
	// A kernel refuses rights that it does not know. Each version knows all rights of the previous one.
	rules := unix.LandlockRulesetAttr{Handled_access_fs: 1<<13 - 1}
	for _, more := range []struct {
		abi uintptr
		add unix.LandlockRulesetAttr
	}{
		{2, unix.LandlockRulesetAttr{Handled_access_fs: unix.LANDLOCK_ACCESS_FS_REFER}},
		{3, unix.LandlockRulesetAttr{Handled_access_fs: unix.LANDLOCK_ACCESS_FS_TRUNCATE}},
		{4, unix.LandlockRulesetAttr{Handled_access_net: unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP}},
		{5, unix.LandlockRulesetAttr{Handled_access_fs: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV}},
		{6, unix.LandlockRulesetAttr{Scoped: unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL}},
	} {
		if abi >= more.abi {
			rules.Handled_access_fs |= more.add.Handled_access_fs
			rules.Handled_access_net |= more.add.Handled_access_net
			rules.Scoped |= more.add.Scoped
		}
	}
	// An older kernel takes the longer structure, since what it does not know of it is zero.
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), unsafe.Sizeof(rules), 0)
	if errno != 0 {
		return false
	}
	defer unix.Close(int(set))
	if _, _, errno = syscall.AllThreadsSyscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); errno != 0 {
		return false
	}
	_, _, errno = syscall.AllThreadsSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0)
	return errno == 0
}

// statm is where the system says how much memory this process uses, opened before files cannot be opened any more.
var statm *os.File

// memoryInUse returns the memory that this process can write to, and how much of it is resident, in bytes.
func memoryInUse() (data, resident uint64) {
	var pages [6]uint64 // size, resident, shared, text, lib, data
	var text [256]byte
	if statm == nil {
		return mostData, 0
	}
	n, _ := statm.ReadAt(text[:], 0) // to the end, which is an error
	if _, err := fmt.Sscan(string(text[:n]), &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]); err != nil {
		return mostData, 0
	}
	size := uint64(os.Getpagesize())
	return pages[5] * size, (pages[1] - min(pages[1], pages[2])) * size
}

// provide lets a program map enough to use the given memory in addition to mapped: twice as much, since memory is
// collected late, and some for the collector and the stacks of threads. A program that asks for far more at once ends
// at once, before the watcher sees it.
func provide(mapped uint64, memory int64) {
	const own = 128 << 20
	most := min(mapped+2*uint64(memory)+own, mostData)
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: mostData})
}

// endTimer is the number of a timer that counts the processor time of this process, or less than 0.
var endTimer int32 = -1

// makeEndTimer makes the timer. Go ends the process at its signal at once, even while the collector waits. A signal that Go does
// not handle would not end the first process of a namespace.
func makeEndTimer() {
	var id int32
	event := struct {
		value       uint64
		signal, how int32
		_           [48]byte
	}{signal: int32(unix.SIGABRT)}
	if _, _, errno := unix.Syscall(unix.SYS_TIMER_CREATE, unix.CLOCK_PROCESS_CPUTIME_ID, uintptr(unsafe.Pointer(&event)), uintptr(unsafe.Pointer(&id))); errno == 0 {
		endTimer = id
	}
}

// endAt lets the system end this process when it has used the processor for cpu and one second more. The watcher is earlier, but
// it may stand still: the collector stops all goroutines, and waits for a module in a loop for ever.
func endAt(cpu time.Duration) {
	const later = time.Second
	at := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(cpu + later))}
	if endTimer >= 0 {
		_, _, _ = unix.Syscall6(unix.SYS_TIMER_SETTIME, uintptr(endTimer), unix.TIMER_ABSTIME, uintptr(unsafe.Pointer(&at)), 0, 0, 0)
	}
}
