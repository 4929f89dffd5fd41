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

// keepFiles marks the open files of this process, so that a child inherits only the three standard ones. It needs Linux 5.11.
func keepFiles() { _ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) }

// enterNamespaces starts this binary again in new namespaces, in which the user has no name and no rights. It waits until that
// process ends, and then exits. It returns only if the system does not allow namespaces. The child, and not the server, calls
// enterNamespaces, because new namespaces need a fork, and a fork would stop a server with much memory for a long time.
func enterNamespaces() {
	cmd := &exec.Cmd{Path: "/proc/self/exe", Args: []string{called}, Env: []string{}, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWIPC, Pdeathsig: unix.SIGKILL,
	}
	if cmd.Start() != nil {
		return
	}
	closeAll(os.Stdin, os.Stdout, os.Stderr) // only the child then holds the pipes, so they close when it ends
	_ = cmd.Wait()                           // the parent needs no status: the closed pipes show that the child has ended
	os.Exit(0)
}

// confine permanently removes the rights of this process, so that a program that breaks out of its interpreter has no rights
// either. It skips protections (walls) that the system does not support. No other goroutine may be running yet.
func confine() (w Walls) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	time.Sleep(time.Nanosecond) // makes the runtime open the files for timers; later this is forbidden
	idMap, err := os.ReadFile("/proc/self/uid_map")
	w.Namespaces = err == nil && len(idMap) == 0
	statm, _ = os.Open("/proc/self/statm")
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // asks the kernel to kill this process first when memory runs out; may fail
	makeEndTimer()
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil {
		w.Limits = limit()
		return w
	}
	w.Landlock = lockFiles() // called before limit, because lockFiles opens a file
	w.Limits = limit()
	if auditArch == 0 {
		return w
	}
	filter := sieve(auditArch, uint32(os.Getpid()))
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	// Install the filter for all threads at once. An error means that the kernel has no such filters.
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	// If the kernel cannot install the filter for a thread, it returns the number of that thread instead of 0.
	w.Filter = errno == 0 && thread == 0
	return w
}

// mostData is the limit of all writable memory of the child. It is much greater than the limit of any program, because the child
// also needs memory to compile WebAssembly modules.
const mostData = 1 << 30

// limit sets limits of the operating system, and reports whether all of them are set. It does not set RLIMIT_NPROC, the limit
// of the threads of a user, because before Linux 5.14 the threads of the server would count towards this limit.
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

// lockFiles forbids this process by Landlock to access files and ports and to send signals to other processes, and reports
// whether this worked. It needs Linux 5.13 and a binary without C code, because in a binary with C code Go cannot make a system
// call for all threads.
func lockFiles() bool {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return false
	}
	// A kernel returns an error for rights that it does not support. Each version of Landlock supports all rights of the
	// previous version.
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
	// The structure may be longer than the structure of an older kernel. The kernel accepts it if all fields that the kernel
	// does not know are zero, which is the case here.
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

// statm is the file in which the system reports this process's memory. It is opened before confine forbids opening files.
var statm *os.File

// memoryInUse returns two sizes in bytes: the memory that this process can write to, and the resident part of its private
// memory.
func memoryInUse() (data, resident uint64) {
	var pages [6]uint64 // fields of statm: size, resident, shared, text, lib, data
	var text [256]byte
	if statm == nil {
		return mostData, 0
	}
	n, _ := statm.ReadAt(text[:], 0) // the error is io.EOF, because ReadAt reads to the end
	if _, err := fmt.Sscan(string(text[:n]), &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]); err != nil {
		return mostData, 0
	}
	size := uint64(os.Getpagesize())
	return pages[5] * size, (pages[1] - min(pages[1], pages[2])) * size
}

// provide sets the limit of mapped memory to the sum of three sizes: mapped, the memory of the process without a program; twice
// the given memory of the program, because garbage is collected late; and some memory for the collector and the stacks of
// threads. If a program requests far more at once, the system ends it before the watcher notices.
func provide(mapped uint64, memory int64) {
	const own = 128 << 20
	most := min(mapped+2*uint64(memory)+own, mostData)
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: mostData})
}

// endTimer is the number of the timer of this process's processor time, or negative if there is none.
var endTimer int32 = -1

// makeEndTimer creates the timer. Go ends the process at once when it receives the timer's signal, even while the collector
// waits. A signal without a handler would not end the first process of a namespace, because the kernel does not deliver it.
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

// endAt makes the system end this process when it has used one second of processor time more than cpu. Normally the watcher ends
// it earlier. But the watcher may be blocked: the garbage collector stops all goroutines, and waits for ever for a module that is
// in an endless loop.
func endAt(cpu time.Duration) {
	const later = time.Second
	at := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(cpu + later))}
	if endTimer >= 0 {
		_, _, _ = unix.Syscall6(unix.SYS_TIMER_SETTIME, uintptr(endTimer), unix.TIMER_ABSTIME, uintptr(unsafe.Pointer(&at)), 0, 0, 0)
	}
}
