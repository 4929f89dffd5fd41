// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cli_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// hostile is a kind of request that once took a server's memory, its processor or its data.
type hostile struct {
	name string
	// send sends request i of this kind and returns the status of the answer, or 0 if the connection was cut.
	send func(a *besieger, i int) int
}

// The kinds of hostile requests, in the order in which TestClubSurvivesHostileRequests sends them.
var hostileKinds = []hostile{
	{"login with 20,000 unknown keys", func(a *besieger, i int) int {
		return a.post("", i, "/api/club/login", unknownKeys(20_000))
	}},
	{"tree with an error in each of 350,000 branches", func(a *besieger, i int) int {
		return a.post("", i, "/api/page?game=gomoku", `{"move":"","next":[`+strings.Repeat("{},", 350_000)+`{}]}`)
	}},
	{"tree of 16 MB", func(a *besieger, i int) int {
		return a.post("", i, "/api/library?game=gomoku", `{"move":"","next":[`+strings.Repeat("{},", 5_600_000)+`{}]}`)
	}},
	{"game against a module with a large table", func(a *besieger, i int) int {
		return a.post(a.Mallory, i, "/api/games", `{"game":"gomoku","first":"bot:hungry","second":"human"}`)
	}},
	{"challenge, accepted and aborted", func(a *besieger, i int) int {
		var c, g struct{ ID string }
		if status := a.ask(a.Mallory, i, "POST", "/api/challenges", `{"terms":{"game":"gomoku","colour":"first"}}`, &c); status != 200 {
			return status
		}
		if status := a.ask(a.Trudy, i, "POST", "/api/challenges/"+c.ID+"/accept", `{}`, &g); status != 200 {
			return status
		}
		return a.post(a.Mallory, i, "/api/games/"+g.ID+"/act", `{"do":"abort","ply":0}`)
	}},
	{"try at a puzzle", func(a *besieger, i int) int {
		return a.post(a.Mallory, i, "/api/puzzles/"+a.Puzzle+"/tries", `{"score":0}`)
	}},
	{"another name", func(a *besieger, i int) int {
		return a.post(a.Mallory, i, "/api/club/name", fmt.Sprintf(`{"name":"mallory%d"}`, i))
	}},
	{"act on the private game of another", func(a *besieger, i int) int {
		return a.post("", i, "/api/games/"+a.Private+"/act", `{"do":"resign","ply":0}`)
	}},
	{"opening of a game without one", func(a *besieger, i int) int {
		return a.post("", i, "/api/games/"+a.Private+"/opening", `{"answered":0,"answer":"swap"}`)
	}},
	{"import of the link to a private game", func(a *besieger, i int) int {
		return a.post("", i, "/api/import", `{"text":"https://x.example/play/`+a.Private+`"}`)
	}},
	{"reader that never reads", func(a *besieger, i int) int { return a.neverRead(i) }},
}

// unknownKeys returns a JSON object with n keys that no operation has.
func unknownKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":1`, i)
	}
	return "{" + b.String()[1:] + "}"
}

// besieger is a process that sends hostile requests. The exported fields travel to it as JSON.
type besieger struct {
	URL             string
	Kind, Count     int
	Each            time.Duration // the time between the starts of two requests
	Mallory, Trudy  string        // tokens of the sessions of two hostile members
	Private, Puzzle string        // ids of a game of somebody else, and of a puzzle

	client *http.Client
	mu     sync.Mutex
	held   []net.Conn // connections that nobody reads
}

func (a *besieger) post(token string, i int, path, body string) int {
	return a.ask(token, i, "POST", path, body, nil)
}

// ask sends a request as a member, or from one of 500 addresses if token is empty.
func (a *besieger) ask(token string, i int, method, path, body string, answer any) int {
	q, err := http.NewRequest(method, a.URL+path, strings.NewReader(body))
	if err != nil {
		return 0
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("X-Forwarded-For", address(i%500))
	if token != "" {
		q.Header.Set("X-Forwarded-For", "10.7.0.1")
		q.AddCookie(&http.Cookie{Name: "krow-session", Value: token})
	}
	r, err := a.client.Do(q)
	if err != nil {
		return 0
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil || answer != nil && r.StatusCode == 200 && json.Unmarshal(data, answer) != nil {
		return 0
	}
	return r.StatusCode
}

func address(i int) string { return fmt.Sprintf("10.1.%d.%d", i/250, 1+i%250) }

// neverRead asks for the description of the interface 40 times in one connection and reads none of it.
func (a *besieger) neverRead(i int) int {
	host := strings.TrimPrefix(a.URL, "http://")
	c, err := net.DialTimeout("tcp", host, 5*time.Second)
	if err != nil {
		return 0
	}
	a.mu.Lock()
	if a.held = append(a.held, c); len(a.held) > 200 {
		a.held[0].Close()
		a.held = a.held[1:]
	}
	a.mu.Unlock()
	_ = c.SetWriteDeadline(time.Now().Add(5 * time.Second))
	_, err = c.Write([]byte(strings.Repeat("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: "+address(i%500)+"\r\n\r\n", 40)))
	if err != nil {
		return 0
	}
	return 1
}

// besiegerVariable makes a process of this test a besieger: see TestSiegeClient.
const besiegerVariable = "KROW_BESIEGER"

// TestSiegeClient is a besieger of TestClubSurvivesHostileRequests. It prints how often each status was answered, as JSON.
func TestSiegeClient(t *testing.T) {
	text := os.Getenv(besiegerVariable)
	if text == "" {
		t.Skip("it is a part of TestClubSurvivesHostileRequests")
	}
	var a besieger
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	a.client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	statuses := map[int]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	room := make(chan struct{}, 64)
	for i := range a.Count {
		room <- struct{}{}
		all.Go(func() {
			status := hostileKinds[a.Kind].send(&a, i)
			<-room
			mu.Lock()
			statuses[status]++
			mu.Unlock()
		})
		time.Sleep(a.Each)
	}
	all.Wait()
	for _, c := range a.held {
		c.Close()
	}
	data, err := json.Marshal(statuses)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("statuses %s\n", data)
}

// send runs a besieger of low priority and returns how often each status was answered.
func (a *besieger) send(t *testing.T) map[int]int {
	t.Helper()
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{os.Args[0], "-test.run=^TestSiegeClient$"}
	if nice, err := exec.LookPath("nice"); err == nil {
		args = append([]string{nice, "-n", "19"}, args...)
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Env = append(os.Environ(), besiegerVariable+"="+string(data))
	out, err := cmd.Output()
	_, rest, _ := strings.Cut(string(out), "statuses ")
	line, _, _ := strings.Cut(rest, "\n")
	statuses := map[int]int{}
	if err := errors.Join(err, json.Unmarshal([]byte(line), &statuses)); err != nil {
		t.Fatalf("a besieger printed %q: %v", out, err)
	}
	return statuses
}

// TestClubSurvivesHostileRequests sends hostile requests of every kind to a club in which members play. No request fails inside the server, the server
// and the sandboxes of its bots stay below a bound of memory, and every move of a member is played. With KROW_LONG there are
// 2,000 requests of each kind beside 20 members, and the test prints the memory, the processor time and the time of the members' moves.
func TestClubSurvivesHostileRequests(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	count, members, each, quiet, pause := 12, 2, time.Duration(0), time.Duration(0), 20*time.Millisecond
	if os.Getenv("KROW_LONG") != "" {
		count, members, each, quiet, pause = 2000, 20, 10*time.Millisecond, 20*time.Second, time.Second
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "krow.db")
	tokens := makeMembers(t, file, members)
	p := start(t, "serve", "--addr", "127.0.0.1:0", "--db", file, "--behind-proxy", "127.0.0.1", "--guests", "play", "--quiet")
	line, err := p.stdout.ReadString('\n')
	_, rest, _ := strings.Cut(line, "http://")
	if err != nil || rest == "" {
		t.Fatalf("%q, %v, %s", line, err, p.stderr.String())
	}
	a := &besieger{
		URL: "http://" + strings.TrimRight(strings.Fields(rest)[0], "/"), Count: count, Each: each,
		Mallory: tokens["mallory"], Trudy: tokens["trudy"], client: http.DefaultClient,
	}
	a.prepare(t, tokens["victim"])

	play := &siegePlay{pause: pause}
	ctx, cancel := context.WithCancel(t.Context())
	var playing sync.WaitGroup
	for i := range members {
		b := besieger{URL: a.URL, client: &http.Client{}}
		playing.Go(func() { play.playGames(ctx, t, &b, tokens[fmt.Sprintf("member%d", i)]) })
	}
	time.Sleep(quiet)
	alone, atStart := play.take(), memoryOf(p.Process.Pid)
	most := 0
	for kind, k := range hostileKinds {
		a.Kind = kind
		before, end := processorTime(p.Process.Pid), make(chan struct{})
		peak := watchMemory(p.Process.Pid, end)
		began := time.Now()
		statuses := a.send(t)
		took := time.Since(began)
		close(end)
		m := <-peak
		most = max(most, m)
		t.Logf("%s: %v; %d MB at most, %.1f s of processor in %.0f s; members' moves %s", k.name, statuses, m>>20,
			(processorTime(p.Process.Pid) - before).Seconds(), took.Seconds(), play.take())
		for _, status := range slices.Sorted(maps.Keys(statuses)) {
			if status == 500 {
				t.Errorf("%s: %d answers are of status 500", k.name, statuses[status])
			}
		}
	}
	cancel()
	playing.Wait()
	t.Logf("members' moves alone %s; memory %d MB at the start, %d MB at most, %d MB at the end", alone, atStart>>20, most>>20, memoryOf(p.Process.Pid)>>20)
	if bound := 1 << 30; most > bound {
		t.Errorf("the server took %d MB, want at most %d MB", most>>20, bound>>20)
	}
	var g struct{ Outcome string }
	if status := a.ask(tokens["victim"], 0, "GET", "/api/games/"+a.Private, "", &g); status != 200 || g.Outcome != "ongoing" {
		t.Errorf("the private game: status %d, %q", status, g.Outcome)
	}
	finish(t, p)
	if strings.Contains(p.stderr.String(), "panic") {
		t.Errorf("the log has a panic: %s", p.stderr.String())
	}
}

// makeMembers makes a club with an owner, members and the two hostile ones, and returns the token of a session of each.
func makeMembers(t *testing.T, file string, members int) map[string]string {
	t.Helper()
	db, err := store.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c, tokens := club.New(db, club.Options{Cheap: true}), map[string]string{}
	names := []string{"owner", "victim", "mallory", "trudy"}
	for i := range members {
		names = append(names, fmt.Sprintf("member%d", i))
	}
	for i, name := range names {
		role := club.Member
		if i == 0 {
			role = club.Owner
		}
		link, err := c.Add(club.Alone, name, role)
		if err != nil {
			t.Fatal(err)
		}
		if _, tokens[name], err = c.Join(link, "", "a long password", club.Browser{}); err != nil {
			t.Fatal(err)
		}
	}
	return tokens
}

// prepare makes the private game of a victim and the bot of a hostile member, and finds a puzzle.
func (a *besieger) prepare(t *testing.T, victim string) {
	t.Helper()
	var g struct{ ID string }
	if status := a.ask(victim, 0, "POST", "/api/games", `{"game":"gomoku","first":"human","second":"human"}`, &g); status != 200 {
		t.Fatalf("a game: status %d", status)
	}
	if status := a.post(victim, 0, "/api/games/"+g.ID+"/visibility", `{"visibility":"private"}`); status != 204 {
		t.Fatalf("a private game: status %d", status)
	}
	a.Private = g.ID
	if status := a.ask(a.Mallory, 0, "GET", "/api/puzzles/next?game=gomoku", "", &g); status != 200 {
		t.Fatalf("a puzzle: status %d", status)
	}
	a.Puzzle = g.ID
	// The module may be refused; then the games are, too.
	a.post(a.Mallory, 0, "/api/bots/hungry/module", string(hungryModule()))
}

// hungryModule returns a module of WebAssembly that makes a table of 60,000,000 entries, fills it and never ends.
func hungryModule() []byte {
	size := binary.AppendUvarint([]byte{0x41}, 60_000_000) // i32.const: the highest bit of the last byte's seven is 0
	var body []byte
	body = append(body, 0, 0xd0, 0x70) // no locals; ref.null func
	body = append(body, size...)
	body = append(body, 0xfc, 0x0f, 0, 0x1a, 0x41, 0, 0xd0, 0x70) // table.grow 0; drop; i32.const 0; ref.null func
	body = append(body, size...)
	body = append(body, 0xfc, 0x11, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b) // table.fill 0; loop br 0 end; end
	sections := [][]byte{
		1:  {1, 0x60, 0, 0},
		3:  {1, 0},
		4:  {1, 0x70, 0, 1},
		5:  {1, 0, 1},
		7:  append(append(append([]byte{2, 6}, "_start"...), 0, 0, 6), append([]byte("memory"), 2, 0)...),
		10: append([]byte{1, byte(len(body))}, body...),
	}
	module := []byte("\x00asm\x01\x00\x00\x00")
	for id, s := range sections {
		if s != nil {
			module = append(append(module, byte(id), byte(len(s))), s...)
		}
	}
	return module
}

// siegePlay is what members play during a siege.
type siegePlay struct {
	pause time.Duration
	mu    sync.Mutex
	took  []time.Duration
}

// times are how long moves took, the quickest first.
type times []time.Duration

func (m times) String() string {
	if len(m) == 0 {
		return "none"
	}
	at := func(percent int) time.Duration { return m[(len(m)-1)*percent/100].Round(100 * time.Microsecond) }
	return fmt.Sprintf("%d: median %v, 99 %% within %v, at most %v", len(m), at(50), at(99), at(100))
}

// take returns the times of the moves since it was called last.
func (p *siegePlay) take() times {
	p.mu.Lock()
	defer p.mu.Unlock()
	took := p.took
	p.took = nil
	slices.Sort(took)
	return took
}

// playGames plays both sides of game after game until ctx is done.
func (p *siegePlay) playGames(ctx context.Context, t *testing.T, b *besieger, token string) {
	for {
		var g struct{ ID string }
		if status := b.ask(token, 0, "POST", "/api/games", `{"game":"gomoku","first":"human","second":"human"}`, &g); status != 200 {
			t.Errorf("a member's game: status %d", status)
			return
		}
		for ply := range 100 {
			select {
			case <-ctx.Done():
				return
			case <-time.After(p.pause):
			}
			began := time.Now()
			move := fmt.Sprintf(`{"move":"%c%d","ply":%d}`, 'a'+ply%15, 1+2*(ply/15)%15, ply)
			if status := b.post(token, 0, "/api/games/"+g.ID+"/moves", move); status != 200 {
				t.Errorf("a member's move %d: status %d", ply, status)
				return
			}
			p.mu.Lock()
			p.took = append(p.took, time.Since(began))
			p.mu.Unlock()
		}
	}
}

// watchMemory sends the most memory that a process and its children had, once end is closed.
func watchMemory(pid int, end <-chan struct{}) <-chan int {
	peak := make(chan int, 1)
	go func() {
		most := 0
		for {
			most = max(most, memoryOf(pid))
			select {
			case <-end:
				peak <- most
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return peak
}

// memoryOf returns the bytes of resident memory of a process and of its children, without pages of the program's file.
func memoryOf(pid int) int {
	total := 0
	for _, id := range append(childrenOf(pid), pid) {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", id))
		for line := range bytes.Lines(data) {
			var kb int
			if n, _ := fmt.Sscanf(string(line), "RssAnon: %d kB", &kb); n == 1 {
				total += kb << 10
			}
		}
	}
	return total
}

func childrenOf(pid int) (all []int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, f := range files {
		data, _ := os.ReadFile(f)
		for _, word := range strings.Fields(string(data)) {
			if id, err := strconv.Atoi(word); err == nil {
				all = append(all, id)
			}
		}
	}
	return all
}

// processorTime returns the processor time of a process, and of its children that have ended.
func processorTime(pid int) time.Duration {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	ticks := 0
	for _, i := range []int{11, 12, 13, 14} { // utime, stime, cutime, cstime
		if i < len(fields) {
			n, _ := strconv.Atoi(fields[i])
			ticks += n
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
