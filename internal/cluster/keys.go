// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// Keys are the keys of a cluster. An organiser has both, a worker has its own alone:
//
//	krow-cluster-keys 1
//	organiser SUAF...
//	worker SUAN...
type Keys struct {
	Organiser, Worker nkeys.KeyPair // Organiser is nil in a worker's file
}

const keysHeader = "krow-cluster-keys 1"

// NewKeys draws keys.
func NewKeys() (*Keys, error) {
	a, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	b, err := nkeys.CreateUser()
	return &Keys{a, b}, err
}

// Write writes the keys to a new file, and those of a worker to another.
func (k *Keys) Write(organiser, worker string) error {
	for _, f := range []struct {
		name string
		keys Keys
	}{{organiser, *k}, {worker, Keys{Worker: k.Worker}}} {
		var b bytes.Buffer
		fmt.Fprintln(&b, keysHeader)
		for _, line := range []struct {
			role string
			pair nkeys.KeyPair
		}{{"organiser", f.keys.Organiser}, {"worker", f.keys.Worker}} {
			if line.pair == nil {
				continue
			}
			seed, err := line.pair.Seed()
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s %s\n", line.role, seed)
		}
		out, err := os.OpenFile(f.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = out.Write(b.Bytes())
		if e := out.Close(); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadKeys reads a file of keys.
func ReadKeys(name string) (*Keys, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	k, s := &Keys{}, bufio.NewScanner(bytes.NewReader(data))
	if !s.Scan() || s.Text() != keysHeader {
		return nil, fmt.Errorf("%s is no file of keys: krow cluster keys writes one", name)
	}
	for s.Scan() {
		role, seed, _ := strings.Cut(s.Text(), " ")
		pair, err := nkeys.FromSeed([]byte(seed))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		switch role {
		case "organiser":
			k.Organiser = pair
		case "worker":
			k.Worker = pair
		default:
			return nil, fmt.Errorf("%s: unknown role %q", name, role)
		}
	}
	if k.Worker == nil {
		return nil, fmt.Errorf("%s holds no key", name)
	}
	return k, nil
}

// identity returns the most that a file of keys lets somebody be.
func (k *Keys) identity() (public string, sign func([]byte) ([]byte, error), err error) {
	pair := k.Worker
	if k.Organiser != nil {
		pair = k.Organiser
	}
	public, err = pair.PublicKey()
	return public, pair.Sign, err
}

// restrict has a server let in those with keys alone, workers with few rights, and returns the key of this process.
func (k *Keys) restrict(o *server.Options) (nkeys.KeyPair, error) {
	if k.Organiser == nil {
		return nil, fmt.Errorf("these are a worker's keys: an organiser needs its own")
	}
	organiser, err := k.Organiser.PublicKey()
	if err != nil {
		return nil, err
	}
	worker, err := k.Worker.PublicKey()
	if err != nil {
		return nil, err
	}
	o.Nkeys = []*server.NkeyUser{{Nkey: organiser}, {Nkey: worker, Permissions: workerRights()}}
	return k.Organiser, nil
}

// workerRights let a worker take units, say that it is at them, and publish results. It can neither hand out work nor
// delete anything.
func workerRights() *server.Permissions {
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			"$JS.API.CONSUMER.INFO." + workStream + ".*", "$JS.API.CONSUMER.MSG.NEXT." + workStream + ".*", "$JS.ACK." + workStream + ".>",
			"krow.result.>", "krow.worker.*",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>", "krow.banned"}},
	}
}
