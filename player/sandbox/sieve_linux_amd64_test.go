// SPDX-License-Identifier: Apache-2.0

package sandbox

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

func init() { trials["i386"] = tryI386 }

// tryI386 asks for the number of this process by the interface of i386.
func tryI386() {
	code, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		fmt.Println(err)
		return
	}
	copy(code, []byte{0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3}) // mov eax, 20 (getpid); int 0x80; ret
	start := unsafe.Pointer(&code[0])
	f := unsafe.Pointer(&start) // a function of Go is a pointer to a pointer to its code
	(*(*func())(unsafe.Pointer(&f)))()
	fmt.Println("not refused")
}

func TestConfinedProcessEndsAtCallOfI386(t *testing.T) {
	out, err := try(t, "i386")
	if out == "no filter\n" {
		t.Skip("this kernel has no filters")
	}
	exit := new(exec.ExitError)
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != unix.SIGSYS && exit.Sys().(syscall.WaitStatus).Signal() != unix.SIGSEGV {
		t.Errorf("got %v, want the end by a signal\n%s", err, out)
	}
}
