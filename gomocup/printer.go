// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// printer writes whole lines, from the session and from whoever thinks.
type printer struct {
	mu    sync.Mutex
	w     io.Writer
	muted atomic.Bool
	err   error // the first one
}

// say writes a line, unless the printer is muted.
func (p *printer) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.muted.Load() || p.err != nil {
		return
	}
	_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
}

// mute makes all that is said from now on unheard. It does not wait for a line that nobody reads.
func (p *printer) mute() { p.muted.Store(true) }
