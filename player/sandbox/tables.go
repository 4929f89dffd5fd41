// SPDX-License-Identifier: Apache-2.0

//go:build !js

package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The tables of a WebAssembly module are not part of its memory, so they have a separate limit. An element takes 8 bytes.
const (
	maxTables   = 16
	maxElements = 100_000 // maximum number of elements of a table
)

var errNoModule = errors.New("unsupported module: its sections cannot be read")

// boundTables returns the module with a maximum size added to each of its tables. Compilers write no maximum even if a table
// never grows. If the initial size of a table is greater than the maximum, boundTables returns an error.
//
//	magic and version   8 bytes
//	section             its kind, a byte; its length; its contents      as often as there are sections
func boundTables(module []byte) ([]byte, error) {
	const header, tables = 8, 4
	if len(module) < header {
		return nil, errNoModule
	}
	out := append(make([]byte, 0, len(module)+64), module[:header]...)
	for rest := module[header:]; len(rest) > 0; {
		kind := rest[0]
		length, after, ok := readUint(rest[1:])
		if !ok || length > len(after) {
			return nil, errNoModule
		}
		if kind != tables {
			out = append(out, rest[:len(rest)-len(after)+length]...)
		} else {
			section, err := boundTableSection(after[:length])
			if err != nil {
				return nil, err
			}
			out = append(binary.AppendUvarint(append(out, kind), uint64(len(section))), section...)
		}
		rest = after[length:]
	}
	return out, nil
}

// boundTableSection adds the maximum sizes to the contents of a table section. These contents are the number of tables and,
// for each table, the type of its elements, whether it has a maximum, the minimum, and the maximum if there is one.
func boundTableSection(rest []byte) ([]byte, error) {
	count, rest, ok := readUint(rest)
	if !ok {
		return nil, errNoModule
	}
	if count > maxTables {
		return nil, fmt.Errorf("the module has %d tables, but a bot can have at most %d", count, maxTables)
	}
	out := binary.AppendUvarint(nil, uint64(count))
	for range count {
		const funcref, externref = 0x70, 0x6f
		if len(rest) < 2 || rest[0] != funcref && rest[0] != externref || rest[1] > 1 {
			return nil, errors.New("unsupported module: it has a table of an unknown kind")
		}
		element, bounded, most := rest[0], rest[1] == 1, maxElements
		var least int
		if least, rest, ok = readUint(rest[2:]); ok && bounded {
			most, rest, ok = readUint(rest)
		}
		switch {
		case !ok || bounded && least > most:
			return nil, errNoModule
		case least > maxElements:
			return nil, fmt.Errorf("the module has a table of %d elements, but a bot can have at most %d", least, maxElements)
		}
		out = append(out, element, 1)
		out = binary.AppendUvarint(out, uint64(least))
		out = binary.AppendUvarint(out, uint64(min(most, maxElements)))
	}
	if len(rest) > 0 {
		return nil, errNoModule
	}
	return out, nil
}

// readUint reads an unsigned number of 32 bits, stored with 7 bits in each byte, and returns it and the bytes after it.
func readUint(text []byte) (n int, rest []byte, ok bool) {
	x, size := binary.Uvarint(text)
	if size <= 0 || size > 5 || x > math.MaxUint32 {
		return 0, nil, false
	}
	return int(x), text[size:], true
}
