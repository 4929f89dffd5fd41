// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"errors"
	"os"
	"strings"
	"time"
)

// tend starts the server again where its disk was full, as soon as there is room. NATS writes nothing more to a stream that could
// not be written to once.
func (s *Server) tend(o ServerOptions) {
	room, log, told := o.room, o.Log, false
	if room == nil {
		room = hasRoom
	}
	if log == nil {
		log = func(string) {}
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-s.stop:
			return
		}
		why := s.ended()
		if why == "" {
			continue
		}
		if !told {
			told = true
			log("the work stands still, and goes on by itself when the disk has room: " + why)
		}
		if !room(o.Dir) {
			continue
		}
		s.shutdown()
		if err := s.start(); err != nil {
			log(err.Error())
			continue
		}
		told = false
		log("the server writes again")
	}
}

// ended says why the server does not write any more, or nothing where it does.
func (s *Server) ended() string {
	if !s.nats.JetStreamEnabled() {
		return "its streams have ended"
	}
	if why := s.nats.Healthz(nil).Error; strings.Contains(why, "write error") {
		return why
	}
	return ""
}

// leastRoom is how much must fit on the disk of a server that was full, in bytes: two of the largest messages.
const leastRoom = 2 * maxResult

// hasRoom says whether a new file of leastRoom bytes fits into a directory.
func hasRoom(dir string) bool {
	f, err := os.CreateTemp(dir, "room-")
	if err != nil {
		return false
	}
	defer os.Remove(f.Name())
	return fits(f, leastRoom)
}

// fits says whether so many bytes can be written to a file, and closes it.
func fits(f *os.File, n int) bool {
	_, err := f.Write(make([]byte, n))
	return errors.Join(err, f.Close()) == nil
}
