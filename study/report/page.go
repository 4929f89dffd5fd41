// SPDX-License-Identifier: Apache-2.0

package report

import "strings"

func (d *Document) markdown() string {
	var b strings.Builder
	b.WriteString("# " + escapeMarkdown(oneLine(d.Title)) + "\n")
	for _, block := range d.Blocks {
		b.WriteString("\n" + block.markdown())
	}
	return b.String()
}

func (d *Document) html() string {
	var b strings.Builder
	title := escape(oneLine(d.Title))
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<title>" + title + "</title>\n<style>\n" + pageStyle + plotStyle + "</style>\n</head>\n<body>\n<main>\n")
	b.WriteString("<h1>" + title + "</h1>\n")
	for _, block := range d.Blocks {
		b.WriteString(block.html())
	}
	return b.String() + "</main>\n</body>\n</html>\n"
}

// pageStyle lets what is too wide for a phone scroll by itself, not the page.
const pageStyle = `:root{color-scheme:light dark}
body{margin:0;background:#fff;color:#1f2328;font:16px/1.55 system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
main{max-width:58rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1,h2,h3,h4{line-height:1.25;margin:2em 0 .6em}
h1{margin-top:.5em}
h2{padding-bottom:.3em;border-bottom:1px solid #d8dee4}
p,ul{max-width:44rem}
a{color:#0a5cc0}
code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:#f3f5f7;border-radius:5px}
code{padding:.15em .35em;overflow-wrap:anywhere}
pre{padding:.8em 1em;overflow-x:auto}
figure{margin:1.5em 0}
figcaption{font-size:.9em;color:#57606a;margin:.5em 0;max-width:44rem}
.wide{overflow-x:auto}
.rows{max-height:85vh;overflow-y:auto}
.wide .plot{max-width:100%}
table{border-collapse:collapse;font-size:.875em;line-height:1.4}
th,td{padding:.3em .8em;text-align:left;vertical-align:top;border-bottom:1px solid #e3e7eb}
thead th{position:sticky;top:0;background:#fff;border-bottom:2px solid #c4cbd2;white-space:nowrap}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
summary{cursor:pointer;padding:.3em 0}
@media (prefers-color-scheme:dark){
body{background:#14171b;color:#dde2e8}
h2,th,td{border-color:#30363d}
thead th{background:#14171b;border-color:#484f58}
a{color:#6cb0ff}
code,pre{background:#20252b}
figcaption{color:#9aa4af}
}
`
