// SPDX-License-Identifier: Apache-2.0
import type { Texts } from '.'

export const vi: Texts = {
}
