// SPDX-License-Identifier: Apache-2.0
// The arguments of a spec as the fields of a form, and back. What arguments there are is told by the server.
import type { Option } from './api'

/** The value of each option in a spec such as gomoku:19,k=6; what the spec does not say is the default. */
export function fieldsOf(options: Option[], spec: string): Record<string, string> {
  const all = Object.fromEntries(options.map((o) => [o.key, o.default]))
  spec
    .slice(spec.indexOf(':') + 1 || spec.length)
    .split(',')
    .filter(Boolean)
    .forEach((word, i) => {
      const [key, value] = word.includes('=') ? word.split('=') : [options[i]?.key, word]
      if (key in all) all[key] = value
    })
  for (const o of options) if (o.kind === 'sides' && !all[o.key].includes('x')) all[o.key] = all[o.key] + 'x' + all[o.key]
  return all
}

/** The spec of a name and its fields, without those that are as usual. */
export function compose(name: string, options: Option[], fields: Record<string, string>): string {
  const own = options.filter((o) => fields[o.key] !== undefined && fields[o.key] !== o.default)
  return name + (own.length ? ':' + own.map((o) => `${o.key}=${fields[o.key]}`).join(',') : '')
}
