// SPDX-License-Identifier: Apache-2.0

package rescue_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/krow-lab/krow/internal/rescue"
)

func TestCall(t *testing.T) {
	if err := rescue.Call(func() error { return errors.ErrUnsupported }); err != errors.ErrUnsupported {
		t.Errorf("an error: got %v", err)
	}
	err := rescue.Call(func() error { panic("too bad") })
	if err == nil || !strings.Contains(err.Error(), "panic: too bad") || !strings.Contains(err.Error(), "rescue_test.go") {
		t.Errorf("a panic: got %v, want its text and its stack", err)
	}
}
