// SPDX-License-Identifier: Apache-2.0
// A file or a text that was dropped or pasted on any page, until the analysis takes it.
export const given = $state({ file: undefined as File | undefined, text: '' })
