// SPDX-License-Identifier: Apache-2.0
// The editor of sources: CodeMirror with the words of the interface of bots. It is loaded by the workshop alone.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { python } from '@codemirror/legacy-modes/mode/python'
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { EditorState, Prec } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { Fault, Word } from './workshop'

export interface Editor {
  text: () => string
  /** Replaces the whole source, as when another version is opened. */
  load: (source: string) => void
  mark: (faults: Fault[]) => void
  lock: (locked: boolean) => void
  close: () => void
}

export interface EditorOptions {
  source: string
  label: string
  words: () => Word[]
  changed: (source: string) => void
  save: () => void
  run: () => void
}

const looks = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: '0.9rem', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', paddingBlock: '0.5rem' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--raised) 55%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '6px', boxShadow: 'var(--lift)' },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionInfo, .cm-word': { maxWidth: '26rem', padding: '0.4rem 0.6rem', fontFamily: 'var(--font)', whiteSpace: 'pre-wrap' },
  '.cm-word b': { fontFamily: 'var(--mono)', display: 'block' },
  '.cm-diagnostic': { fontFamily: 'var(--font)' },
})

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool], color: 'var(--code-number)' },
  { tag: [tags.definition(tags.variableName), tags.standard(tags.variableName)], color: 'var(--code-name)' },
])

// What Starlark has besides the interface of bots.
const keywords = ['and', 'break', 'continue', 'def', 'elif', 'else', 'for', 'if', 'in', 'lambda', 'load', 'not', 'or', 'pass', 'return', 'True', 'False', 'None']
const builtins = ['abs', 'all', 'any', 'bool', 'dict', 'enumerate', 'float', 'int', 'len', 'list', 'max', 'min', 'range', 'reversed', 'sorted', 'str', 'tuple', 'zip']

/** The last part of a name, by which it is completed: moves of position.moves. */
const last = (name: string) => name.slice(name.lastIndexOf('.') + 1)

function complete(words: () => Word[]) {
  return (at: CompletionContext): CompletionResult | null => {
    const before = at.matchBefore(/[\w.]*/)
    if (!before || (before.from === before.to && !at.explicit)) return null
    const dot = before.text.lastIndexOf('.')
    const members = words().filter((w) => w.name.includes('.') === dot >= 0)
    const options: Completion[] = members.map((w) => ({ label: last(w.name), detail: w.signature, info: w.doc, type: w.signature.includes('(') ? 'function' : 'property' }))
    if (dot < 0) options.push(...keywords.map((label) => ({ label, type: 'keyword' })), ...builtins.map((label) => ({ label, type: 'function' })))
    return { from: before.from + dot + 1, options, validFor: /^\w*$/ }
  }
}

/** What the word below the pointer is. */
function about(words: () => Word[]) {
  return hoverTooltip((view, pos) => {
    const line = view.state.doc.lineAt(pos)
    const end = line.text.slice(pos - line.from).match(/^\w*/)![0].length
    const start = line.text.slice(0, pos - line.from).match(/[\w.]*$/)![0].length
    const name = line.text.slice(pos - line.from - start, pos - line.from + end)
    const member = name.includes('.')
    const w = words().find((w) => last(w.name) === last(name) && w.name.includes('.') === member)
    if (!w || !name) return null
    return {
      pos: pos - start,
      end: pos + end,
      create: () => {
        const dom = document.createElement('div')
        dom.className = 'cm-word'
        const head = document.createElement('b')
        head.textContent = w.signature
        dom.append(head, w.doc)
        return { dom }
      },
    }
  })
}

/** Makes an editor in a shadow of its own: the policy of the page allows no style that a script writes into the document. */
export function edit(host: HTMLElement, o: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  // What is typed and pasted here is none of the page's keys.
  for (const kind of ['keydown', 'paste']) root.addEventListener(kind, (e) => e.stopPropagation())
  let quiet = false
  let locked = false
  const keys = [
    { key: 'Mod-s', preventDefault: true, run: () => (o.save(), true) },
    // The Tab key indents, but leaves the editor after Escape, also where Escape closes a list of completions.
    { key: 'Escape', run: (view: EditorView) => (view.setTabFocusMode(2000), false) },
    { key: 'Mod-Enter', preventDefault: true, run: () => (o.run(), true) },
  ]
  const state = EditorState.create({
    doc: o.source,
    extensions: [
      Prec.highest(keymap.of(keys)), lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(),
      indentUnit.of('    '), EditorState.tabSize.of(4), StreamLanguage.define(python), syntaxHighlighting(colours), looks,
      autocompletion({ override: [complete(o.words)] }), about(o.words), lintGutter(),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, indentWithTab, ...defaultKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': o.label, tabindex: '0' }),
      EditorState.changeFilter.of(() => quiet || !locked),
      EditorView.updateListener.of((u) => u.docChanged && !quiet && o.changed(u.state.doc.toString())),
    ],
  })
  const view = new EditorView({ state, parent: root, root })
  return {
    text: () => view.state.doc.toString(),
    load(source) {
      quiet = true
      // One step of undo brings back what was typed, however soon after it this comes.
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: source }, annotations: isolateHistory.of('full') })
      quiet = false
    },
    mark(faults) {
      const doc = view.state.doc
      const all: Diagnostic[] = faults.map((f) => {
        const line = doc.line(Math.min(Math.max(f.line ?? 1, 1), doc.lines))
        const from = Math.min(line.from + Math.max((f.column ?? 1) - 1, 0), line.to)
        const word = doc.sliceString(from, line.to).match(/^\w+/)?.[0].length ?? 0
        return { from, to: word ? from + word : line.to, severity: 'error', message: f.text }
      })
      view.dispatch(setDiagnostics(view.state, all))
    },
    lock: (to) => (locked = to),
    close: () => view.destroy(),
  }
}
