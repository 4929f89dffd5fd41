// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExportedNamesAreUsedElsewhere lists the exported names of server, cli, research and tools that no other package uses. It
// leaves out types that an exported declaration mentions, embedded types, which must be exported for encoding and for the server's
// API, types that the API describes, and constants of a group of which another package uses one.
func TestExportedNamesAreUsedElsewhere(t *testing.T) {
	fset := token.NewFileSet()
	files := map[string][]*ast.File{} // by folder, without tests
	users := map[string]map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && slices.Contains([]string{"node_modules", "testdata", ".git"}, d.Name()) {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := path.Dir(filepath.ToSlash(file))
		ast.Inspect(parsed, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if users[s.Sel.Name] == nil {
					users[s.Sel.Name] = map[string]bool{}
				}
				users[s.Sel.Name][dir] = true
			}
			return true
		})
		if !strings.HasSuffix(file, "_test.go") && slices.Contains([]string{"server", "cli", "research", "tools"}, folder(dir)) {
			files[dir] = append(files[dir], parsed)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var api struct {
		Components struct{ Schemas map[string]any }
	}
	if data, err := os.ReadFile("page/openapi.json"); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(data, &api); err != nil {
		t.Fatal(err)
	}
	for dir, parsed := range files {
		names, mentioned := exports(parsed)
		used, unused := map[token.Pos]bool{}, map[string]token.Pos{}
		for name := range names {
			_, described := api.Components.Schemas[name]
			others := maps.Clone(users[name])
			delete(others, dir)
			if len(others) > 0 {
				used[names[name]] = true
			} else if !described && !mentioned[name] {
				unused[name] = names[name]
			}
		}
		for _, name := range slices.Sorted(maps.Keys(unused)) {
			if at := unused[name]; !used[at] {
				t.Errorf("%s: only its own package uses %s", fset.Position(at), name)
			}
		}
	}
}

// exports returns the exported functions, types, variables and constants of a package, each with its place, and the names that
// the signatures and fields of these mention. The constants of a group share the place of the group.
func exports(files []*ast.File) (names map[string]token.Pos, mentioned map[string]bool) {
	names, mentioned = map[string]token.Pos{}, map[string]bool{}
	mention := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if i, ok := n.(*ast.Ident); ok {
				mentioned[i.Name] = true
			}
			return true
		})
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() {
					mention(d.Type)
					if d.Recv == nil {
						names[d.Name.Name] = d.Pos()
					}
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						if s.Name.IsExported() {
							names[s.Name.Name] = s.Pos()
							mention(s.Type)
						}
						if fields, ok := s.Type.(*ast.StructType); ok {
							for _, f := range fields.Fields.List {
								if len(f.Names) == 0 {
									mention(f.Type)
								}
							}
						}
					case *ast.ValueSpec:
						for _, n := range s.Names {
							if n.IsExported() {
								names[n.Name] = n.Pos()
								if d.Tok == token.CONST {
									names[n.Name] = d.Pos()
								}
							}
						}
					}
				}
			}
		}
	}
	return names, mentioned
}
