// SPDX-License-Identifier: Apache-2.0

// Lint contains the analyzers of go vet and of staticcheck. One run of go vet reads and type-checks each package once for both. It does
// not check packages again that have not changed, not even in another clone:
//
//	go vet -vettool=bin/lint ./...
package main

import (
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

func main() {
	unusedCode := &analysis.Analyzer{Name: "unused", Doc: "report unused code", Requires: []*analysis.Analyzer{unused.Analyzer.Analyzer}, Run: reportUnused}
	// The go vet of Go 1.26 does not have scannererr. Many tests scan the output of a process that they end themselves.
	all := slices.DeleteFunc(slices.Clone(vet.Suite), func(a *analysis.Analyzer) bool { return a.Name == "scannererr" })
	all = append(all, unusedCode)
	for _, a := range slices.Concat(staticcheck.Analyzers, simple.Analyzers, stylecheck.Analyzers) {
		if !a.Doc.NonDefault {
			all = append(all, a.Analyzer)
		}
	}
	unitchecker.Main(all...)
}

// reportUnused reports what staticcheck's analyzer found. go vet checks a package together with its tests, so code that only tests
// use is not reported.
func reportUnused(pass *analysis.Pass) (any, error) {
	for _, o := range pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result).Unused {
		for _, f := range pass.Files {
			if file := pass.Fset.File(f.Pos()); file.Name() == o.Position.Filename {
				pass.Reportf(file.LineStart(o.Position.Line), "%s %s is unused", o.Kind, o.Name)
			}
		}
	}
	return nil, nil
}
