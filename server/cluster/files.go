// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/spec"
)

// filesBucket is the object store of the files that units name.
const filesBucket = "KROW_FILES"

// maxFile is the maximum size of a file that units name, in bytes.
const maxFile = 64 << 20

// Files is a directory of this process. It contains the files that units name in their arguments. The name of a file is the
// hash of its content, a slash and the name that its owner gave it: 0123456789abcdef0123456789abcdef/my.net.
type Files struct {
	dir  string
	mu   sync.Mutex
	have map[string]bool
}

// fileTime returns the time limit for the transfer of a file: 10 s, plus the time that the file takes at 100 kB a second.
func fileTime(size uint64) time.Duration {
	return 10*time.Second + time.Duration(size)*(time.Second/100_000)
}

// NewFiles chooses a temporary directory for files. The first Add creates it.
func NewFiles() *Files {
	return &Files{dir: filepath.Join(os.TempDir(), "krow-inputs-"+rand.Text()), have: map[string]bool{}}
}

// Dir returns the directory.
func (f *Files) Dir() string { return f.dir }

// Close removes the directory with the files. It may be called twice.
func (f *Files) Close() error { return os.RemoveAll(f.dir) }

// Add keeps a file with the given base name, and returns its full name, which begins with the hash.
func (f *Files) Add(base string, data []byte) (string, error) {
	name := work.Hash(data) + "/" + base
	switch {
	case !spec.InputName.MatchString(name):
		return "", fmt.Errorf("the name of a file for other machines must consist of letters, digits, dots, - and _, not %q", base)
	case len(data) > maxFile:
		return "", fmt.Errorf("%s: a file for other machines can have at most %d MB, not %d", base, maxFile>>20, len(data)>>20)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.have[name] {
		return name, nil
	}
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = atomicfile.Write(path, data)
	}
	f.have[name] = err == nil
	return name, err
}

func (f *Files) has(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.have[name]
}

// namedIn returns the files of f that a unit's arguments name, as @HASH/NAME.
func (f *Files) namedIn(args []byte) (names []string) {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for name := range f.have {
		if bytes.Contains(args, []byte("@"+name)) {
			names = append(names, name)
		}
	}
	return names
}

// fetch gets the named files of a unit from the server, unless f already has them.
func (f *Files) fetch(ctx context.Context, js jetstream.JetStream, names []string) error {
	for _, name := range names {
		if f.has(name) {
			continue
		}
		if !spec.InputName.MatchString(name) {
			return fmt.Errorf("%q is not a valid file name", name)
		}
		bucket, err := js.ObjectStore(ctx, filesBucket)
		if err != nil {
			return fmt.Errorf("file %s: %w", name, err)
		}
		data, err := getFile(ctx, bucket, name)
		if err != nil {
			return fmt.Errorf("file %s: %w", name, err)
		}
		if got, err := f.Add(name[strings.Index(name, "/")+1:], data); err != nil || got != name {
			return errors.Join(fmt.Errorf("the content of file %s does not match the hash in its name", name), err)
		}
	}
	return nil
}

// getFile reads a file from the server. It sets a time limit for the file, because the default limit, requestTime, is too
// short for a large file.
func getFile(ctx context.Context, bucket jetstream.ObjectStore, name string) ([]byte, error) {
	info, err := bucket.GetInfo(ctx, name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, fileTime(info.Size))
	defer cancel()
	return bucket.GetBytes(ctx, name)
}

// putFile writes a file to the server, unless it is already there.
func putFile(ctx context.Context, js jetstream.JetStream, name string, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, fileTime(uint64(len(data))))
	defer cancel()
	bucket, err := js.ObjectStore(ctx, filesBucket)
	if err == nil {
		_, err = bucket.GetInfo(ctx, name)
	}
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		_, err = bucket.PutBytes(ctx, name, data)
	}
	return err
}

// sendFiles writes the files of a unit to the server, where workers find them.
func (r *activeRun) sendFiles(ctx context.Context, names []string) error {
	for _, name := range names {
		if r.sent[name] {
			continue
		}
		if r.Files == nil || !r.Files.has(name) {
			return fmt.Errorf("a unit names the file %q, which does not exist", name)
		}
		data, err := os.ReadFile(filepath.Join(r.Files.dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if err := putFile(ctx, r.js, name, data); err != nil {
			return fmt.Errorf("file %s: %w", name, err)
		}
		r.sent[name] = true
	}
	return nil
}
