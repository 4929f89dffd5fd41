// SPDX-License-Identifier: Apache-2.0

package report

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

// palette counts the colours of plotStyle; series beyond it are dashed.
const palette = 7

// plotStyle has the colours that differ for every kind of sight, but for the yellow, which white swallows;
// the last is black, or white on dark.
//
// CITE: Okabe and Ito, Color Universal Design, 2008.
const plotStyle = `.plot{display:block;height:auto;font:12px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
.plot text{fill:#1f2328}
.plot .soft{fill:#57606a}
.plot .bold{font-weight:600}
.plot .paper{fill:#fff}
.plot .stripe{fill:#f6f8fa}
.plot .figure{font-variant-numeric:tabular-nums}
.plot .rule{stroke:#e6e9ed;fill:none}
.plot .axis{stroke:#8c959f;fill:none}
.plot .zero{stroke:#57606a;fill:none}
.plot .lead{stroke:currentColor;fill:none;opacity:.45}
.plot .line{stroke:currentColor;fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
.plot .dash{stroke-dasharray:5 4}
.plot .dot{fill:currentColor}
.plot .s0{color:#0072b2}
.plot .s1{color:#d55e00}
.plot .s2{color:#009e73}
.plot .s3{color:#cc79a7}
.plot .s4{color:#e69f00}
.plot .s5{color:#56b4e9}
.plot .s6{color:#1f2328}
.plot .agree{fill:#cfe5f5}
.plot .differ{fill:#f2a65a}
.plot .none{fill:#f1f3f5}
@media (prefers-color-scheme:dark){
.plot text{fill:#dde2e8}
.plot .soft{fill:#9aa4af}
.plot .paper{fill:#14171b}
.plot .stripe{fill:#1a1e23}
.plot .rule{stroke:#2a3037}
.plot .axis{stroke:#6e7681}
.plot .zero{stroke:#b1bac4}
.plot .s0{color:#3b9ad9}
.plot .s6{color:#e8edf2}
.plot .agree{fill:#16486b}
.plot .differ{fill:#b3540e}
.plot .none{fill:#22272d}
}
`
