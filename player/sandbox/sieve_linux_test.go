// SPDX-License-Identifier: Apache-2.0

//go:build amd64 || arm64

package sandbox

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// call is a call of the system as a filter sees it.
type call struct {
	arch, number uint32
	args         [6]uint64
}

// answerOf runs a filter, as the kernel does.
func answerOf(t *testing.T, filter []unix.SockFilter, c call) uint32 {
	t.Helper()
	var data [64]byte
	binary.LittleEndian.PutUint32(data[offsetCall:], c.number)
	binary.LittleEndian.PutUint32(data[offsetArch:], c.arch)
	for i, a := range c.args {
		binary.LittleEndian.PutUint64(data[offsetArgs+8*i:], a)
	}
	var a uint32
	for at := 0; at < len(filter); at++ {
		f := filter[at]
		holds := false
		switch f.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			a = binary.LittleEndian.Uint32(data[f.K:])
			continue
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			a &= f.K
			continue
		case unix.BPF_RET | unix.BPF_K:
			return f.K
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			holds = a == f.K
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			holds = a >= f.K
		default:
			t.Fatalf("instruction %d is unknown: %+v", at, f)
		}
		if holds {
			at += int(f.Jt)
		} else {
			at += int(f.Jf)
		}
	}
	t.Fatal("the filter has no answer")
	return 0
}

const testPID = 4242

// fine are arguments that calls with conditions are allowed with.
func fine(number uint32) (args [6]uint64) {
	switch number {
	case unix.SYS_MMAP:
		args[3] = unix.MAP_PRIVATE | unix.MAP_ANONYMOUS | unix.MAP_FIXED
	case unix.SYS_PRLIMIT64:
		args[1] = unix.RLIMIT_DATA
	case unix.SYS_TGKILL:
		args[0] = testPID
	case unix.SYS_CLONE:
		args[0] = threadFlags | unix.CLONE_SYSVSEM | unix.CLONE_SETTLS
	}
	return args
}

// TestFilterAllowsTheListedCallsAlone compares all numbers of calls with a list by hand, in testdata.
func TestFilterAllowsTheListedCallsAlone(t *testing.T) {
	filter := sieve(auditArch, testPID)
	got := ""
	for n := range uint32(5000) {
		switch a := answerOf(t, filter, call{auditArch, n, fine(n)}); a {
		case allow:
			got += fmt.Sprintln(n)
		case refuse:
		default:
			if a != absent || n != unix.SYS_CLONE3 {
				t.Errorf("call %d: %#x", n, a)
			}
		}
		if a := answerOf(t, filter, call{auditArch, n | foreign, fine(n)}); a != kill {
			t.Errorf("call %d of x32: %#x, want the end", n, a)
		}
		for _, arch := range []uint32{0, unix.AUDIT_ARCH_I386, unix.AUDIT_ARCH_ARM, unix.AUDIT_ARCH_MIPS} {
			if a := answerOf(t, filter, call{arch, n, fine(n)}); a != kill {
				t.Errorf("call %d of architecture %#x: %#x, want the end", n, arch, a)
			}
		}
	}
	text, err := os.ReadFile("testdata/calls_" + runtime.GOARCH + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	for line := range strings.Lines(string(text)) {
		number, _, _ := strings.Cut(line, " ")
		want += number + "\n"
	}
	if got != want {
		t.Errorf("allowed are\n%swant\n%s", got, want)
	}
}

func TestFilterLooksAtArguments(t *testing.T) {
	const ok = unix.MAP_PRIVATE | unix.MAP_ANONYMOUS
	tests := []struct {
		name   string
		number uint32
		args   [6]uint64
		want   uint32
	}{
		{"own thread", unix.SYS_TGKILL, [6]uint64{testPID, 1, 9}, allow},
		{"parent's thread", unix.SYS_TGKILL, [6]uint64{testPID - 1, testPID - 1, 9}, refuse},
		{"own data limit", unix.SYS_PRLIMIT64, [6]uint64{0, unix.RLIMIT_DATA}, allow},
		{"another's data limit", unix.SYS_PRLIMIT64, [6]uint64{testPID - 1, unix.RLIMIT_DATA}, refuse},
		{"limit of files", unix.SYS_PRLIMIT64, [6]uint64{0, unix.RLIMIT_NOFILE}, refuse},
		{"private memory", unix.SYS_MMAP, [6]uint64{3: ok}, allow},
		{"shared memory", unix.SYS_MMAP, [6]uint64{3: unix.MAP_SHARED | unix.MAP_ANONYMOUS}, refuse},
		{"huge pages", unix.SYS_MMAP, [6]uint64{3: ok | unix.MAP_HUGETLB}, refuse},
		{"growing stack", unix.SYS_MMAP, [6]uint64{3: ok | unix.MAP_GROWSDOWN}, refuse},
		{"memory of a file", unix.SYS_MMAP, [6]uint64{3: unix.MAP_PRIVATE}, refuse},
		{"thread", unix.SYS_CLONE, [6]uint64{threadFlags}, allow},
		{"process", unix.SYS_CLONE, [6]uint64{uint64(unix.SIGCHLD)}, refuse},
		{"vfork", unix.SYS_CLONE, [6]uint64{unix.CLONE_VM | unix.CLONE_VFORK}, refuse},
		{"thread in a namespace", unix.SYS_CLONE, [6]uint64{threadFlags | unix.CLONE_NEWNET}, refuse},
		{"thread with a descriptor", unix.SYS_CLONE, [6]uint64{threadFlags | unix.CLONE_PIDFD}, refuse},
	}
	filter := sieve(auditArch, testPID)
	for _, tc := range tests {
		if got := answerOf(t, filter, call{auditArch, tc.number, tc.args}); got != tc.want {
			t.Errorf("%s: %#x, want %#x", tc.name, got, tc.want)
		}
	}
}

// tryVariable asks this binary, started again, to confine itself and to try the calls of a name.
const tryVariable = "KROW_TEST_CONFINED"

// try runs what the name says in a confined process and returns what it printed.
func try(t *testing.T, name string) (string, error) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), tryVariable+"="+name)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

var trials = map[string]func(){}

func init() {
	trials["calls"] = tryCalls
	trials["memory"] = tryMemory
	trials["time"] = tryTime
}

// runTrial ends this process when it was started for a trial.
func runTrial() {
	if f := trials[os.Getenv(tryVariable)]; f != nil {
		file, err := os.CreateTemp("", "krow-confined")
		if err != nil {
			panic(err)
		}
		name, _ := unix.BytePtrFromString(file.Name())
		tried = uintptr(unsafe.Pointer(name))
		os.Remove(file.Name())
		if !confine().Filter {
			fmt.Println("no filter")
			os.Exit(0)
		}
		f()
		os.Exit(0)
	}
}

// tried is the name of a file, for calls.
var tried uintptr

// tryCalls tries calls that a program must not have, and prints those that are not refused.
func tryCalls() {
	parent := uintptr(os.Getppid())
	var limits unix.Rlimit
	var buffer [256]byte
	space := uintptr(unsafe.Pointer(&buffer))
	for _, c := range []struct {
		name   string
		number uintptr
		args   [5]uintptr
	}{
		{"openat", unix.SYS_OPENAT, [5]uintptr{^uintptr(99), tried}},
		{"openat2", unix.SYS_OPENAT2, [5]uintptr{^uintptr(99), tried, space, 24}},
		{"truncate", unix.SYS_TRUNCATE, [5]uintptr{tried}},
		{"statx", unix.SYS_STATX, [5]uintptr{^uintptr(99), tried, 0, 0xfff, space}},
		{"chdir", unix.SYS_CHDIR, [5]uintptr{tried}},
		{"mknodat", unix.SYS_MKNODAT, [5]uintptr{^uintptr(99), tried, unix.S_IFIFO}},
		{"unlinkat", unix.SYS_UNLINKAT, [5]uintptr{^uintptr(99), tried}},
		{"memfd_create", unix.SYS_MEMFD_CREATE, [5]uintptr{tried}},
		{"userfaultfd", unix.SYS_USERFAULTFD, [5]uintptr{1}},
		{"unshare", unix.SYS_UNSHARE, [5]uintptr{unix.CLONE_FS}},
		{"setns", unix.SYS_SETNS, [5]uintptr{}},
		{"execve", unix.SYS_EXECVE, [5]uintptr{tried}},
		{"fork", unix.SYS_CLONE, [5]uintptr{uintptr(unix.SIGCHLD)}},
		{"kill", unix.SYS_KILL, [5]uintptr{parent, 0}},
		{"tgkill", unix.SYS_TGKILL, [5]uintptr{parent, parent, 0}},
		{"tkill", unix.SYS_TKILL, [5]uintptr{parent, 0}},
		{"pidfd_open", unix.SYS_PIDFD_OPEN, [5]uintptr{parent}},
		{"pidfd_getfd", unix.SYS_PIDFD_GETFD, [5]uintptr{0, 0}},
		{"prlimit64", unix.SYS_PRLIMIT64, [5]uintptr{parent, unix.RLIMIT_DATA, 0, uintptr(unsafe.Pointer(&limits))}},
		{"ptrace", unix.SYS_PTRACE, [5]uintptr{unix.PTRACE_TRACEME}},
		{"process_vm_readv", unix.SYS_PROCESS_VM_READV, [5]uintptr{parent}},
		{"socket", unix.SYS_SOCKET, [5]uintptr{unix.AF_INET, unix.SOCK_STREAM}},
		{"socketpair", unix.SYS_SOCKETPAIR, [5]uintptr{unix.AF_UNIX, unix.SOCK_STREAM, 0, space}},
		{"pipe2", unix.SYS_PIPE2, [5]uintptr{space}},
		{"dup", unix.SYS_DUP, [5]uintptr{}},
		{"ioctl", unix.SYS_IOCTL, [5]uintptr{0, 0x5413}},
		{"io_uring_setup", unix.SYS_IO_URING_SETUP, [5]uintptr{1, space}},
		{"bpf", unix.SYS_BPF, [5]uintptr{}},
		{"seccomp", unix.SYS_SECCOMP, [5]uintptr{unix.SECCOMP_GET_ACTION_AVAIL, 0, space}},
		{"prctl", unix.SYS_PRCTL, [5]uintptr{unix.PR_GET_DUMPABLE}},
		{"shmget", unix.SYS_SHMGET, [5]uintptr{0, 4096, 0o1600}},
		{"setuid", unix.SYS_SETUID, [5]uintptr{uintptr(os.Getuid())}},
		{"getdents64", unix.SYS_GETDENTS64, [5]uintptr{0, space, 256}},
		{"add_key", unix.SYS_ADD_KEY, [5]uintptr{tried, tried}},
		{"mmap of shared memory", unix.SYS_MMAP, [5]uintptr{0, 4096, 3, unix.MAP_SHARED | unix.MAP_ANONYMOUS, ^uintptr(0)}},
	} {
		if _, _, errno := syscall.RawSyscall6(c.number, c.args[0], c.args[1], c.args[2], c.args[3], c.args[4], 0); errno != unix.EPERM {
			fmt.Printf("%s: %v\n", c.name, errno)
		}
	}
}

func TestConfinedProcessIsRefusedCalls(t *testing.T) {
	out, err := try(t, "calls")
	if out == "no filter\n" {
		t.Skip("this kernel has no filters")
	}
	if out != "" || err != nil {
		t.Errorf("not refused: %v\n%s", err, out)
	}
}

// tryMemory uses memory that is not in the heap of Go.
func tryMemory() {
	c := &child{}
	c.mapped, c.resident = memoryInUse()
	go c.watch()
	c.arm(Limits{Memory: 64 << 20, CPU: time.Minute})
	for {
		const size = 4 << 20
		more, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
		if err != nil {
			select {} // the watcher has the last word
		}
		for i := 0; i < size; i += 4096 {
			more[i] = 1
		}
	}
}

// TestResidentMemoryIsWatched: memory counts wherever it lies, for example in a table of a module.
func TestResidentMemoryIsWatched(t *testing.T) {
	out, err := try(t, "memory")
	if out == "no filter\n" {
		t.Skip("this kernel has no filters")
	}
	if err != nil || !strings.Contains(out, "it uses more than 64 MB of memory") {
		t.Errorf("got %v, %q, want the watcher's last word", err, out)
	}
}

// tryTime uses more than its processor time, as a module that runs on after its move, and there is no watcher.
func tryTime() {
	c := &child{}
	c.arm(Limits{Memory: 64 << 20, CPU: time.Minute})
	c.disarm()
	for used() < 30*time.Second {
	}
}

// TestSystemEndsProgramThatRunsOn: neither the watcher nor the parent is needed to end a program that uses the processor. The
// watcher stands still while the collector waits for a module, and the parent may have been killed.
func TestSystemEndsProgramThatRunsOn(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	out, err := try(t, "time")
	if out == "no filter\n" {
		t.Skip("this kernel has no filters")
	}
	if err == nil || died(out).Reason != CPU {
		t.Errorf("got %v, %q, want an end that is a fault of time", err, out)
	}
}

// newChild returns a child that has been confined, its number, and the walls that it reports.
func newChild(t *testing.T) (*Process, int, Walls) {
	t.Helper()
	p, err := start("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.kill() })
	w := wallsOf(t, p)
	pid := p.cmd.Process.Pid
	if w.Namespaces { // it is the child of the child
		list, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range list {
			text, _ := os.ReadFile(name)
			if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
				return p, n, w
			}
		}
		t.Skip("this system does not list the children of a process")
	}
	return p, pid, w
}

func wallsOf(t *testing.T, p *Process) Walls {
	t.Helper()
	reply, err := p.Ask(t.Context(), time.Minute, Request{Op: OpWalls}, nil)
	if err != nil || reply.Walls == nil {
		t.Fatalf("walls: %+v, %v", reply, err)
	}
	return *reply.Walls
}

// TestChildHasNoFilesButItsPipes: a descriptor that this process was started with is not handed on.
func TestChildHasNoFilesButItsPipes(t *testing.T) {
	leak, err := unix.Open("/dev/null", unix.O_RDONLY, 0) // as one that this process inherited: not closed by exec
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(leak)
	_, pid, _ := newChild(t)
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	files, err := os.ReadDir(dir) // the pipes, and what the runtime of Go opens for itself
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		to, _ := os.Readlink(dir + "/" + f.Name())
		if to == "/dev/null" {
			t.Errorf("descriptor %s is open: %s", f.Name(), to)
		}
	}
}

// TestMachineEndsChildFirst: the system ends a child before the server when memory is short.
func TestMachineEndsChildFirst(t *testing.T) {
	_, pid, _ := newChild(t)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid))
	if err != nil || string(text) != "1000\n" {
		t.Errorf("oom_score_adj is %q, %v, want 1000", text, err)
	}
}

// TestWallsAreReported compares what a child reports with what the system says about it.
func TestWallsAreReported(t *testing.T) {
	_, pid, w := newChild(t)
	t.Logf("%+v", w)
	if !w.Limits {
		t.Error("a limit is not set")
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	if filtered := strings.Contains(string(text), "\nSeccomp:\t2\n"); filtered != w.Filter {
		t.Errorf("filter: reported %v, is %v", w.Filter, filtered)
	}
	own, _ := os.Readlink("/proc/self/ns/net")
	its, _ := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", pid))
	if own != its != w.Namespaces {
		t.Errorf("namespaces: reported %v, own %s, the child's %s", w.Namespaces, own, its)
	}
}
