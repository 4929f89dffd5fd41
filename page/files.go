// SPDX-License-Identifier: Apache-2.0

package page

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"mime"
	"path"
	"strings"
	"sync"
)

// File is a file that a server sends.
type File struct {
	Kind, ETag string
	Plain      []byte
	// Packed returns Plain after compression by gzip, or nil if compression saves little. Only the first call compresses.
	Packed func() []byte
}

// Files returns the files of the web app by their paths.
var Files = sync.OnceValue(func() map[string]*File {
	all := map[string]*File{}
	err := fs.WalkDir(Dist, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(Dist, name)
		all[strings.TrimPrefix(name, "dist")] = Pack(cmp.Or(mime.TypeByExtension(path.Ext(name)), "application/octet-stream"), data)
		return err
	})
	if err != nil {
		panic(err) // cannot happen, because the files are embedded in the program
	}
	return all
})

// Pack returns the file with the media type kind and the content data.
func Pack(kind string, data []byte) *File {
	f := &File{Kind: kind, ETag: fmt.Sprintf(`"%.8x"`, sha256.Sum256(data)), Plain: data}
	f.Packed = sync.OnceValue(func() []byte {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // no error, because the level is valid
		_, _ = z.Write(data)                                  // a write to a buffer returns no error
		_ = z.Close()
		if b.Len() < len(data)*9/10 {
			return b.Bytes()
		}
		return nil
	})
	return f
}
