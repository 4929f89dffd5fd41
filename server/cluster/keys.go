// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/spec"
)

// Keys are the keys of an organiser, or of one worker. The organiser's key signs a worker's name together with the worker's
// public key, so that no worker can use the name of another.
//
//	krow-cluster-keys 2            krow-cluster-keys 2
//	organiser SUAF...              worker host-1 SUAN... SIGNATURE
type Keys struct {
	Name  string // name of the worker; empty for the organiser
	pair  nkeys.KeyPair
	token string // the name and its signature, as NAME.SIGNATURE; the server checks it
}

const keysHeader = "krow-cluster-keys 2"

var errWorkersKeys = errors.New("these are a worker's keys: an organiser needs its own")

// newKeys generates the keys of an organiser.
func newKeys() (*Keys, error) {
	pair, err := nkeys.CreateUser()
	return &Keys{pair: pair}, err
}

// Worker generates the keys of a worker. k must be an organiser's keys.
func (k *Keys) Worker(name string) (*Keys, error) {
	if k.Name != "" {
		return nil, errWorkersKeys
	}
	if !humanize.Name(name) {
		return nil, fmt.Errorf("the name of a worker must consist of at most 40 letters, digits, - and _, not %q", name)
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	public, err := pair.PublicKey()
	if err != nil {
		return nil, err
	}
	signature, err := k.pair.Sign(signed(name, public))
	return &Keys{name, pair, name + "." + base64.RawURLEncoding.EncodeToString(signature)}, err
}

// signed returns the text that the organiser's key signs for a worker: it contains the worker's name and public key.
func signed(name, public string) []byte { return []byte("krow worker " + name + " " + public) }

// Write writes the keys to a new file.
func (k *Keys) Write(name string) error {
	seed, err := k.pair.Seed()
	if err != nil {
		return err
	}
	line := "organiser " + string(seed)
	if k.Name != "" {
		line = fmt.Sprintf("worker %s %s %s", k.Name, seed, strings.TrimPrefix(k.token, k.Name+"."))
	}
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n%s\n", keysHeader, line)
	if e := out.Close(); err == nil {
		err = e
	}
	return err
}

// WriteKeys writes the keys of a worker to the new file NAME.WORKER, signed by the keys of the organiser in NAME.organiser, a file
// that it makes if there is none. It returns the names of both files. A worker's file that exists is not replaced: the error is then
// an fs.ErrExist.
func WriteKeys(name, worker string) (organiser, file string, err error) {
	organiser, file = name+".organiser", name+"."+worker
	keys, err := ReadKeys(organiser)
	made := errors.Is(err, fs.ErrNotExist)
	if made {
		keys, err = newKeys()
	}
	if err != nil {
		return "", "", err
	}
	its, err := keys.Worker(worker)
	if err != nil {
		return "", "", &spec.Error{Msg: err.Error()}
	}
	if made {
		err = keys.Write(organiser)
	}
	if err == nil {
		err = its.Write(file)
	}
	return organiser, file, err
}

// ReadKeys reads a file of keys.
func ReadKeys(name string) (k *Keys, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	header, line, _ := bytes.Cut(data, []byte("\n"))
	f, seed := strings.Fields(string(line)), ""
	switch {
	case string(header) == keysHeader && len(f) == 2 && f[0] == "organiser":
		k, seed = &Keys{}, f[1]
	case string(header) == keysHeader && len(f) == 4 && f[0] == "worker" && humanize.Name(f[1]):
		k, seed = &Keys{Name: f[1], token: f[1] + "." + f[3]}, f[2]
	default:
		return nil, fmt.Errorf("%s is not a file of keys: krow keys writes one", name)
	}
	if k.pair, err = nkeys.FromSeed([]byte(seed)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return k, nil
}

// option returns the connection option that authenticates this process to a server.
func (k *Keys) option() (nats.Option, error) {
	public, err := k.pair.PublicKey()
	if err != nil {
		return nil, err
	}
	return func(o *nats.Options) error {
		o.Token = k.token
		if k.Name != "" {
			o.InboxPrefix = inbox(k.Name)
		}
		return nats.Nkey(public, k.pair.Sign)(o)
	}, nil
}

// restrict sets the options of a server so that only owners of keys can connect, and workers have few rights.
func (k *Keys) restrict(o *server.Options) error {
	if k.Name != "" {
		return errWorkersKeys
	}
	public, err := k.pair.PublicKey()
	if err != nil {
		return err
	}
	o.AlwaysEnableNonce, o.CustomClientAuthentication = true, gate{public, k.pair}
	return nil
}

// gate authenticates the clients that connect to a server.
type gate struct {
	organiser string // public key of the organiser
	pair      nkeys.KeyPair
}

// Check implements [server.Authentication].
func (g gate) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	public, err := nkeys.FromPublicKey(o.Nkey)
	if err != nil {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(o.Sig)
	if err != nil || public.Verify(c.GetNonce(), signature) != nil {
		return false
	}
	if o.Nkey == g.organiser {
		c.RegisterUser(&server.User{Username: "organiser"})
		return true
	}
	name, vouched, _ := strings.Cut(o.Token, ".")
	signature, err = base64.RawURLEncoding.DecodeString(vouched)
	if err != nil || !humanize.Name(name) || g.pair.Verify(signed(name, o.Nkey), signature) != nil {
		return false
	}
	c.RegisterUser(&server.User{Username: name, Permissions: workerRights(name)})
	return true
}

// inbox returns the subject under which a worker receives the replies to its requests. No other worker may subscribe to it.
func inbox(name string) string { return "_INBOX." + name }

// workerRights allow a worker to take units, report that it is working on them, publish results under its name, and read the
// files that units name. A worker can neither publish units nor delete anything.
func workerRights(name string) *server.Permissions {
	const files = "OBJ_" + filesBucket
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			"$JS.API.CONSUMER.INFO." + workStream + ".*", "$JS.API.CONSUMER.MSG.NEXT." + workStream + ".*", "$JS.ACK." + workStream + ".>",
			"$JS.API.STREAM.INFO." + files, "$JS.API.DIRECT.GET." + files + ".>", "$JS.API.CONSUMER.CREATE." + files + ".>",
			"$JS.API.CONSUMER.DELETE." + files + ".>", "$JS.FC." + files + ".>",
			answerSubject("*.*", name), "krow.worker." + name,
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{inbox(name) + ".>", "krow.banned", "krow.worker." + name}},
	}
}
