// SPDX-License-Identifier: Apache-2.0

package lobby

import "github.com/krow-lab/krow/server/live"

// Listen returns a channel that receives a value when the news of a person may have changed, and a function that ends the
// notifications.
func (m *Lobby) Listen(by live.Seat) (rung <-chan struct{}, end func()) {
	by.Name = ""
	c := make(chan struct{}, 1)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ears[by] == nil {
		m.ears[by] = map[chan struct{}]bool{}
	}
	m.ears[by][c] = true
	return c, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if delete(m.ears[by], c); len(m.ears[by]) == 0 {
			delete(m.ears, by)
		}
	}
}

// Ring tells the listeners of these people that their news may have changed.
func (m *Lobby) Ring(seats ...live.Seat) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, by := range seats {
		by.Name = ""
		for c := range m.ears[by] {
			select {
			case c <- struct{}{}:
			default: // the listener has not received the previous ring yet
			}
		}
	}
}
