// SPDX-License-Identifier: Apache-2.0

package cage

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confine takes from this process, for ever, what a program must not have even if it broke out of its interpreter: to open
// files, start programs, reach a network, or signal other processes. It is a second wall, and a system that does not know it
// goes without.
func confine() {
	mapped = dataMapped()
	for what, most := range map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: 0, unix.RLIMIT_DATA: mostData} {
		_ = unix.Setrlimit(what, &unix.Rlimit{Cur: most, Max: most})
	}
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil {
		return
	}
	filter := sieve()
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	// On all threads at once. An error means a kernel without such filters.
	_, _, _ = unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
}

// mostData bounds the memory that the child can write to, all in all. It is far more than any program's limit, since a module
// of WebAssembly is compiled in it, too.
const mostData = 1 << 30

// mapped is what the child had mapped before its first program, and granted what it may map now.
var mapped, granted uint64

// dataMapped returns the memory that this process can write to, in bytes.
func dataMapped() (n uint64) {
	var pages [6]uint64 // size, resident, shared, text, lib, data
	text, err := os.ReadFile("/proc/self/statm")
	if err == nil {
		_, err = fmt.Sscan(string(text), &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5])
	}
	if err != nil {
		return mostData
	}
	return pages[5] * uint64(os.Getpagesize())
}

// provide lets a program map what it needs to use so much memory: twice as much, since memory is collected late, and some for
// the collector and the stacks of threads. A program that asks for far more at once ends at once, before the watcher sees it.
// What has been provided is not taken back: it may be mapped already.
func provide(memory int64) {
	const own = 128 << 20
	if most := min(mapped+2*uint64(memory)+own, mostData); most > granted {
		granted = most
		_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: mostData})
	}
}

// foreign is where the numbers of calls begin that belong to another interface of the same processor (x32).
const foreign = 0x40000000

// sieve returns the filter: a refused call fails with "operation not permitted".
//
//	load the number of the call
//	greater or equal foreign ── yes ──> refuse
//	equal to refused[0]      ── yes ──> refuse
//	...
//	allow
func sieve() []unix.SockFilter {
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0},
		{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, K: foreign, Jt: uint8(len(refused)) + 1},
	}
	for i, call := range refused {
		filter = append(filter, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jt: uint8(len(refused) - i)})
	}
	return append(filter,
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
	)
}

// refused are the calls, on all processors.
var refused = append([]uint32{
	unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT,
	unix.SYS_PTRACE, unix.SYS_KILL, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_MKDIRAT,
	unix.SYS_FCHMODAT, unix.SYS_MOUNT, unix.SYS_IO_URING_SETUP, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_BPF,
}, old...)
