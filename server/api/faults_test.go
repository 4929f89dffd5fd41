// SPDX-License-Identifier: Apache-2.0

package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestEveryFaultHasAKind finds the codes of the errors that packages below make, and looks each up.
func TestEveryFaultHasAKind(t *testing.T) {
	n := 0
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			of, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || of.Sel.Name != "New" && of.Sel.Name != "As" {
				return true
			}
			if p, ok := of.X.(*ast.Ident); !ok || p.Name != "fault" {
				return true
			}
			code, err := strconv.Unquote(call.Args[0].(*ast.BasicLit).Value)
			if n++; err != nil || kindOf(code).Code != code {
				t.Errorf("%s: no kind of problem has the code %s", file, code)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 50 {
		t.Errorf("only %d errors have codes", n)
	}
}
