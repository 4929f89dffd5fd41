// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// user is the number of the account under which the program runs in the image. It is not root.
const user = "65532"

// image writes an OCI layout with one image for each processor type of the Linux programs, as a tar file that `docker load`,
// `podman load` and `skopeo` can read. The image contains the program and the licences, and serves the web page at port
// 8080.
func (r *release) image() error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, t := range targets {
		if t.os != "linux" {
			continue
		}
		image, err := r.imageFor(t)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: t.os, Architecture: t.arch},
		}}).(v1.ImageIndex)
	}
	dir := filepath.Join(r.work, "image")
	path, err := layout.Write(dir, empty.Index)
	if err == nil {
		err = path.AppendIndex(index, layout.WithAnnotations(map[string]string{
			"org.opencontainers.image.ref.name": "krow:" + strings.TrimPrefix(r.version, "v"),
			"io.containerd.image.name":          "krow:" + strings.TrimPrefix(r.version, "v"),
		}))
	}
	if err != nil {
		return err
	}
	all, err := filesIn(dir)
	if err != nil {
		return err
	}
	packed, err := tarOf(all, r.time)
	if err != nil {
		return err
	}
	return r.write("krow-"+strings.TrimPrefix(r.version, "v")+"-image.tar", packed)
}

func (r *release) imageFor(t target) (v1.Image, error) {
	program, err := os.ReadFile(filepath.Join(r.work, t.String(), "krow"))
	if err != nil {
		return nil, err
	}
	notices, err := os.ReadFile(filepath.Join(r.work, "NOTICES"))
	if err != nil {
		return nil, err
	}
	license, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	data, err := tarOf([]entry{
		{"etc/passwd", []byte("krow:x:" + user + ":" + user + ":krow:/data:/sbin/nologin\n"), 0o644},
		{"etc/group", []byte("krow:x:" + user + ":\n"), 0o644},
		{"usr/bin/krow", program, 0o755},
		{"usr/share/doc/krow/LICENSE", license, 0o644},
		{"usr/share/doc/krow/NOTICES", notices, 0o644},
		{"data/", nil, 0o777}, // a new volume inherits these rights, so that the image's account can write to it
	}, r.time)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
		tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{
		Created: v1.Time{Time: r.time}, CreatedBy: "make release", Comment: "krow " + r.version,
	}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = t.os, t.arch, v1.Time{Time: r.time}
	config.Config = v1.Config{
		User: user + ":" + user, Entrypoint: []string{"/usr/bin/krow"},
		Cmd:          []string{"serve", "--addr", ":8080", "--db", "/data/krow.db"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}}, Volumes: map[string]struct{}{"/data": {}},
		Env: []string{"HOME=/data", "TMPDIR=/data"}, WorkingDir: "/data", StopSignal: "SIGTERM",
		Labels: map[string]string{
			"org.opencontainers.image.title": "krow", "org.opencontainers.image.description": description,
			"org.opencontainers.image.source": homepage, "org.opencontainers.image.licenses": "Apache-2.0",
			"org.opencontainers.image.version": r.version,
		},
	}
	return mutate.ConfigFile(image, config)
}
