// SPDX-License-Identifier: Apache-2.0

// Package sitefile reads files of the page that needs no server. Its engine is built with the tag site: networks and books are
// then not embedded in the program, and the browser loads each of them when it is needed.
package sitefile
