// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"net/http"
	"time"
)

// WriteTime is the time limit for writing one event of a stream. In other answers it is the time limit for each maxWrite bytes.
const WriteTime = 20 * time.Second

// maxWrite is the number of bytes that a reader must take in WriteTime to stay connected.
const maxWrite = 64 << 10

// ErrGone means that the client has disconnected.
var ErrGone = errors.New("the client has disconnected")

// Answer is the ResponseWriter of a request. It records the status, and cuts the connection of a client that reads the answer too
// slowly.
type Answer struct {
	http.ResponseWriter
	Status int
	Begun  bool // whether a part of the answer was written
}

// NewAnswer returns an Answer that writes to w. It clears the deadline that the previous answer on the connection has set.
func NewAnswer(w http.ResponseWriter) *Answer {
	a := &Answer{ResponseWriter: w, Status: http.StatusOK}
	_ = a.SetWriteDeadline(time.Time{}) // this call never returns an error
	return a
}

// WriteHeader begins the answer.
func (a *Answer) WriteHeader(status int) {
	a.Status, a.Begun = status, true
	a.extend()
	a.ResponseWriter.WriteHeader(status)
}

func (a *Answer) Write(p []byte) (n int, err error) {
	a.Begun = true
	for len(p) > maxWrite {
		a.extend()
		m, err := a.ResponseWriter.Write(p[:maxWrite])
		n, p = n+m, p[maxWrite:]
		if err != nil {
			return n, err
		}
	}
	a.extend()
	m, err := a.ResponseWriter.Write(p)
	return n + m, err
}

func (a *Answer) extend() { _ = a.SetWriteDeadline(time.Now().Add(WriteTime)) } // this call never returns an error

// SetWriteDeadline sets the time by which a write must end. It ignores the error for a closed connection, because the
// write fails then.
func (a *Answer) SetWriteDeadline(t time.Time) error {
	_ = http.NewResponseController(a.ResponseWriter).SetWriteDeadline(t)
	return nil
}

// Send writes an encoded event. It returns an error, which ends the stream, if event is nil or the client has gone.
func (a *Answer) Send(event []byte) error {
	if event == nil {
		return ErrGone
	}
	if _, err := a.Write(event); err != nil {
		return err
	}
	return http.NewResponseController(a.ResponseWriter).Flush()
}

// Unwrap returns the wrapped ResponseWriter, so that streams can flush it.
func (a *Answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
