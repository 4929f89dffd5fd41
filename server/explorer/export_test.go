// SPDX-License-Identifier: Apache-2.0

package explorer

// Index is index, for tests.
var Index = index
