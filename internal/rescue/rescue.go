// SPDX-License-Identifier: Apache-2.0

// Package rescue turns panics into errors. Without it, a panic in any goroutine ends the whole process.
package rescue

import (
	"fmt"
	"runtime/debug"
)

// Into recovers from a panic and stores the panic in *err. A function defers Into with the address of its own named result:
//
//	defer rescue.Into(&err)
func Into(err *error) {
	if why := recover(); why != nil {
		*err = fmt.Errorf("panic: %v", why)
	}
}

// Call calls f. It returns the error of f. If f panics, Call returns an error with the panic and its stack.
func Call(f func() error) (err error) {
	defer func() {
		if why := recover(); why != nil {
			err = fmt.Errorf("panic: %v\n%s", why, debug.Stack())
		}
	}()
	return f()
}
