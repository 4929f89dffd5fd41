// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/arena/work"
)

// locked returns a server with keys, and a function that connects as a worker of its own key.
func locked(t *testing.T) (*Server, func(name string) *nats.Conn) {
	t.Helper()
	dir := t.TempDir()
	keys, err := newKeys()
	if err == nil {
		err = keys.Write(dir + "/organiser")
	}
	if err == nil {
		keys, err = ReadKeys(dir + "/organiser")
	}
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, ServerOptions{Keys: keys})
	return s, func(name string) *nats.Conn {
		t.Helper()
		its, err := keys.Worker(name)
		if err == nil {
			err = its.Write(dir + "/" + name)
		}
		if err != nil {
			t.Fatal(err)
		}
		nc, err := connect(Access{URL: s.URL(), Keys: dir + "/" + name})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		return nc
	}
}

// connect connects, however often the machine stands still meanwhile.
func connect(a Access) (*nats.Conn, error) {
	for {
		nc, err := a.connect()
		if slow := net.Error(nil); !errors.Is(err, nats.ErrTimeout) && (!errors.As(err, &slow) || !slow.Timeout()) {
			return nc, err
		}
	}
}

// works has a worker do units until the test ends.
func works(t *testing.T, nc *nats.Conn, name string, kinds work.Kinds) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	w := &Worker{Name: name, Build: "b", Kinds: kinds}
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx, nc) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("worker %s: %v", name, err)
		}
	})
}

// TestHostileWorker: one that gives wrong results, enormous ones, several, none, throws units away, and speaks for another. All
// units have their right results, and it alone is excluded.
func TestHostileWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	const n = 40
	s, as := locked(t)
	o := organiserOf(t, s, 1, 2*time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	over := make(chan struct{})
	took := make(chan struct{})
	go func() {
		defer close(over)
		if err := harm(ctx, as("hostile"), took); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	}()
	type answer struct {
		all string
		err error
	}
	done := make(chan answer, 1)
	go func() {
		all, err := each(t.Context(), o.Queue(Run{Name: "run"}), n)
		done <- answer{all, err}
	}()
	<-took
	works(t, as("honest-1"), "honest-1", honest)
	works(t, as("honest-2"), "honest-2", honest)
	a := <-done
	cancel()
	<-over
	if a.err != nil || a.all != alone(t, n) {
		t.Errorf("%v, got\n%s", a.err, a.all)
	}
	if o.isBanned("honest-1") || o.isBanned("honest-2") || !o.isBanned("hostile") {
		t.Errorf("excluded: %v", o.banned)
	}
}

// harm takes six units, and closes took.
func harm(ctx context.Context, nc *nats.Conn, took chan<- struct{}) error {
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(time.Minute))
	if err != nil {
		return err
	}
	consumer, err := js.Consumer(ctx, workStream, consumerName("b"))
	if err != nil {
		return err
	}
	answered := ""
	id := "" // of the run
	for i := 0; i < 6; i++ {
		m, err := consumer.Next()
		for ; err != nil && ctx.Err() == nil; m, err = consumer.Next() { // a machine that stands still hears nothing
		}
		if err != nil {
			return err
		}
		var u work.Unit
		if err := json.Unmarshal(m.Data(), &u); err != nil {
			return err
		}
		if string(u.Args) == answered { // a slow machine hands it out twice, and a second answer is none
			m.Ack()
			i--
			continue
		}
		right, _ := hash(ctx, u)
		unit := m.Headers().Get(unitHeader)
		id, _, _ = strings.Cut(unit, ".")
		say := func(worker string, data []byte) {
			nc.PublishMsg(&nats.Msg{Subject: answerSubject(unit, worker), Reply: inbox("hostile") + ".x", Data: data, Header: nats.Header{byHeader: {worker}}})
		}
		switch i {
		case 0: // twice, and once more differently
			say("hostile", right)
			say("hostile", right)
			say("hostile", []byte("-"))
			m.Ack()
			answered = string(u.Args)
		case 1: // for another
			say("honest-1", []byte("-"))
			say("honest-2.x", []byte("-"))
			m.Ack() // and the unit is gone
		case 2: // never
		case 3: // enormous
			say("hostile", bytes.Repeat([]byte("x"), maxResult+1))
			m.Ack()
		case 4: // it is thrown away, and the organiser is told nonsense
			m.Term()
			nc.Publish("krow.worker.hostile", []byte(`{"cores":-1e99}`))
			nc.Publish(answerSubject(id+".x", "hostile"), right)
			nc.Publish(answerSubject(id+"."+strings.Repeat("9", 3000), "hostile"), right)
			deadly := "$JS.API.STREAM.DELETE." + workStream // where the organiser is to say that it has the answer
			nc.PublishMsg(&nats.Msg{Subject: answerSubject(unit, "hostile"), Reply: deadly, Data: right, Header: nats.Header{byHeader: {"hostile"}}})
		case 5:
			say("hostile", []byte("wrong"))
			m.Ack()
		}
		if err := nc.Flush(); err != nil {
			return err
		}
	}
	close(took)
	return nil
}

// TestHostileClient: one with a worker's key, and one without any, do what they can to a server. A run goes on, with the right
// results.
func TestHostileClient(t *testing.T) {
	s, as := locked(t)
	if _, err := connect(Access{URL: s.URL()}); err == nil || !strings.HasSuffix(err.Error(), "requires keys: use --creds") {
		t.Errorf("somebody without keys: %v", err)
	}
	o := organiser(t, s, -1)
	nc := as("bad")
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	heard := 0
	for _, subject := range []string{">", "krow.>", "$SYS.>", workSubject("b", "run"), "krow.answer.>"} {
		nc.Subscribe(subject, func(*nats.Msg) { heard++ })
	}
	for _, subject := range []string{
		workSubject("b", "run"), "krow.order.run", "krow.banned", "krow.worker.good", "krow.run.run", answerSubject("run.0", "good"), "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + workStream + "." + consumerName("b"),
		"$JS.API.STREAM.DELETE." + workStream, "$JS.API.STREAM.PURGE." + workStream, "$JS.API.CONSUMER.DELETE." + workStream + "." + consumerName("b"),
		"$JS.API.STREAM.DELETE.OBJ_" + filesBucket, "$O." + filesBucket + ".C.x", "$JS.API.STREAM.CREATE.x",
	} {
		nc.Publish(subject, []byte("good"))
		if _, err := js.Publish(shortly(t), subject, []byte("good")); err == nil {
			t.Errorf("a worker may publish to %s", subject)
		}
	}
	for i := range 1000 {
		nc.Publish(answerSubject(fmt.Sprint("run.", i), "bad"), make([]byte, 1000))
	}
	for _, junk := range []string{"\x00\x01\x02", "CONNECT {\r\n", "PUB krow.banned 4\r\ngood\r\n", strings.Repeat("A", 1<<20)} {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "nats://"))
		if err != nil {
			t.Fatal(err)
		}
		c.SetDeadline(time.Now().Add(5 * time.Second))
		c.Write([]byte(junk))
		defer c.Close()
	}
	works(t, as("good"), "good", honest)
	got, err := gather(t.Context(), o.Queue(Run{Name: "run"}), hashes(20))
	if err != nil || got != alone(t, 20) {
		t.Errorf("%v, got\n%s", err, got)
	}
	if heard > 0 {
		t.Errorf("a worker heard %d messages that are not for it", heard)
	}
}

// TestWorkerHearsItsOwnInboxAlone: a result passes by the inbox of the worker that gives it, and one who hears it could copy it
// when it is asked to check.
func TestWorkerHearsItsOwnInboxAlone(t *testing.T) {
	s, as := locked(t)
	o := organiser(t, s, 1)
	bad, good := as("bad"), as("good")
	var heard atomic.Int64
	for _, subject := range []string{"_INBOX.>", "_INBOX.*.>", "_INBOX.good.>", "_INBOX.other.>", "_INBOX.bad"} {
		if _, err := bad.Subscribe(subject, func(*nats.Msg) { heard.Add(1) }); err != nil {
			t.Fatal(err)
		}
	}
	works(t, good, "good", honest)
	works(t, as("other"), "other", honest)
	got, err := gather(t.Context(), o.Queue(Run{Name: "run"}), hashes(20))
	if err != nil || got != alone(t, 20) {
		t.Errorf("%v, got\n%s", err, got)
	}
	if n := heard.Load(); n > 0 {
		t.Errorf("a worker heard %d messages for others", n)
	}
}

// TestWorkerCannotHaveServerSpeakForAnother: a server answers a request, and sends what a consumer gets, to any subject that a
// worker names, also to one at which the worker may not publish.
func TestWorkerCannotHaveServerSpeakForAnother(t *testing.T) {
	s, as := locked(t)
	o := organiser(t, s, -1)
	bad := as("bad")
	results := make(chan string, 1)
	go func() {
		got, err := gather(t.Context(), o.Queue(Run{Name: "run"}), hashes(20))
		results <- fmt.Sprint(got, err)
	}()
	js, err := jetstream.New(bad)
	if err != nil {
		t.Fatal(err)
	}
	consumer, err := js.Consumer(t.Context(), workStream, consumerName("b"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := consumer.Next()
	for ; err != nil; m, err = consumer.Next() { // until there is a unit
	}
	var u work.Unit
	if err := json.Unmarshal(m.Data(), &u); err != nil {
		t.Fatal(err)
	}
	bad.PublishRequest("$JS.API.STREAM.INFO.OBJ_"+filesBucket, answerSubject(m.Headers().Get(unitHeader), "good"), nil)
	bad.Flush()
	m.Nak()
	works(t, as("good"), "good", honest)
	if got, want := <-results, fmt.Sprint(alone(t, 20), nil); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSameName: of two workers of one name the second goes away.
func TestSameName(t *testing.T) {
	s := serve(t, ServerOptions{})
	o := organiser(t, s, -1)
	join(t, s, "w", 1, honest)
	waitForWorkers(t, o, 1)
	err := (&Worker{Name: "w", Build: "b", Kinds: honest}).Run(t.Context(), dial(t, s.URL()))
	if err == nil || err.Error() != "another worker has the name w" {
		t.Error(err)
	}
}

// TestFiles: a unit's files come by their hash, and a worker that cannot have them fails.
func TestFiles(t *testing.T) {
	s, as := locked(t)
	own := NewFiles()
	defer own.Close()
	name, err := own.Add("my.net", []byte("weights"))
	if err != nil {
		t.Fatal(err)
	}
	there := NewFiles()
	defer there.Close()
	reading := work.Kinds{"hash": func(_ context.Context, u work.Unit) ([]byte, error) {
		if !there.has(u.Inputs[0]) {
			return nil, errors.New("no file")
		}
		return u.Args, nil
	}}
	nc, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	o, err := NewOrganiser(t.Context(), nc, OrganiserOptions{Build: "b", Kinds: reading, Files: own, Checks: -1, Patience: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	w := &Worker{Name: "w", Build: "b", Kinds: reading, Files: there}
	done := make(chan error)
	line := as("w")
	go func() { done <- w.Run(ctx, line) }()
	units := func(names ...string) func(func(work.Unit, error) bool) {
		return func(yield func(work.Unit, error) bool) {
			for u, err := range hashes(3) {
				u.Inputs = names
				if !yield(u, err) {
					return
				}
			}
		}
	}
	if got, err := gather(t.Context(), o.Queue(Run{Name: "run"}), units(name)); err != nil || got != "0 0\n1 1\n2 2\n" {
		t.Errorf("%v, got %q", err, got)
	}
	for _, bad := range []string{"../x", name + "x", "0123456789abcdef0123456789abcdef/.."} {
		if _, err := gather(t.Context(), o.Queue(Run{Name: "run"}), units(bad)); err == nil {
			t.Errorf("file %s was found", bad)
		}
	}
	cancel()
	<-done
	if _, err := own.Add("a b", nil); err == nil {
		t.Error("a file of a name that may be anything")
	}
}

// TestOtherKeys: a worker whose server comes again with other keys ends, and says why.
func TestOtherKeys(t *testing.T) {
	s, as := locked(t)
	nc := as("w")
	done := make(chan error)
	go func() { done <- (&Worker{Name: "w", Build: "b", Kinds: honest}).Run(t.Context(), nc) }()
	other, err := newKeys()
	if err != nil {
		t.Fatal(err)
	}
	addr := strings.TrimPrefix(s.URL(), "nats://")
	s.Close()
	serve(t, ServerOptions{Addr: addr, Keys: other})
	if err := <-done; err == nil || err.Error() != "the server no longer accepts these keys" {
		t.Error(err)
	}
}

// TestPortOfAnother: of two servers for one port the second is told so at once.
func TestPortOfAnother(t *testing.T) {
	s := serve(t, ServerOptions{})
	if _, err := Serve(ServerOptions{Addr: strings.TrimPrefix(s.URL(), "nats://")}); err == nil || !strings.HasPrefix(err.Error(), "listen tcp ") {
		t.Error(err)
	}
}
