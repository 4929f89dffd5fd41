// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"debug/buildinfo"
	"os"
	"path/filepath"
	"strings"

	"aead.dev/minisign"
	cdx "github.com/CycloneDX/cyclonedx-go"
)

// components writes a list of all Go modules and JavaScript packages that the program contains, in the format CycloneDX.
// There is one list for all systems of a release, so it includes modules that only some systems use.
func (r *release) components() error {
	bom := cdx.NewBOM()
	self := cdx.Component{
		BOMRef: "krow", Type: cdx.ComponentTypeApplication, Name: "krow", Version: r.version, Description: description,
		PackageURL: "pkg:golang/github.com/krow-lab/krow@" + r.version,
		Licenses:   &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}},
	}
	bom.Metadata = &cdx.Metadata{Timestamp: r.time.Format("2006-01-02T15:04:05Z"), Component: &self}
	seen := map[string]bool{}
	var all []cdx.Component
	add := func(name, version, address, sum string) {
		if seen[address] {
			return
		}
		seen[address] = true
		c := cdx.Component{BOMRef: address, Type: cdx.ComponentTypeLibrary, Name: name, Version: version, PackageURL: address, Scope: cdx.ScopeRequired}
		if sum != "" {
			c.Properties = &[]cdx.Property{{Name: "go:sum", Value: sum}}
		}
		all = append(all, c)
	}
	for _, t := range targets {
		info, err := buildinfo.ReadFile(filepath.Join(r.work, t.String(), "krow"+extension(t)))
		if err != nil {
			return err
		}
		std, _, _ := strings.Cut(info.GoVersion, "-X:") // the names of Go experiments that follow the version are cut off
		add("std", std, "pkg:golang/std@"+strings.TrimPrefix(std, "go"), "")
		for _, m := range info.Deps {
			add(m.Path, m.Version, "pkg:golang/"+m.Path+"@"+m.Version, m.Sum)
		}
	}
	notices, err := os.ReadFile(filepath.Join(r.source, "page/dist/notices.txt"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(notices)) {
		if name, version, found := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "==== ")), " "); found && strings.HasPrefix(line, "==== ") {
			add(name, version, "pkg:npm/"+strings.Replace(name, "@", "%40", 1)+"@"+version, "")
		}
	}
	bom.Components = &all
	refs := make([]string, len(all))
	for i, c := range all {
		refs[i] = c.BOMRef
	}
	bom.Dependencies = &[]cdx.Dependency{{Ref: self.BOMRef, Dependencies: &refs}}
	var b bytes.Buffer
	if err := cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return err
	}
	return r.write("krow-"+strings.TrimPrefix(r.version, "v")+".cdx.json", b.Bytes())
}

// sign signs a file of the release if the environment variable KROW_SIGN_KEY names a key.
func (r *release) sign(name string, data []byte) error {
	file := os.Getenv("KROW_SIGN_KEY")
	if file == "" {
		return nil
	}
	key, err := minisign.PrivateKeyFromFile(os.Getenv("KROW_SIGN_PASSWORD"), file)
	if err != nil {
		return err
	}
	return r.write(name+".minisig", minisign.SignWithComments(key, data, "krow "+r.version, "signature of "+name))
}
