// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// applicationID marks the file as krow's: "krow" in ASCII.
const applicationID = 0x6b726f77

// magic begins every SQLite file.
const magic = "SQLite format 3\x00"

// header is what concerns us of the first 100 bytes of an SQLite file. Numbers have the high byte first.
//
//	 0  magic            16 bytes
//	16  page size        2 bytes; 1 stands for 65536
//	24  change counter   4 bytes
//	28  pages            4 bytes; valid when 92 equals 24
//	40  schema cookie    4 bytes; 0 before the first table
//	68  application id   4 bytes
//	92  valid for        4 bytes
//
// CITE: sqlite.org, Database File Format, section 1.3.
type header [100]byte

func (h *header) u32(at int) uint32 { return binary.BigEndian.Uint32(h[at:]) }

// size returns how long the header says the file is, or 0 when it does not say.
func (h *header) size() int64 {
	page := int64(binary.BigEndian.Uint16(h[16:]))
	if page == 1 {
		page = 1 << 16
	}
	if h.u32(24) != h.u32(92) {
		return 0
	}
	return page * int64(h.u32(28))
}

// inspect looks at a file before SQLite does, which would change the files of others when it opens them. It is
// content with no file or an empty one.
func inspect(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return ErrForeign
	}
	if info.Size() == 0 {
		return nil
	}
	return inspectHeader(f, file, info.Size())
}

// inspectHeader judges a file that is not empty.
func inspectHeader(f io.ReaderAt, file string, size int64) error {
	var h header
	n, err := f.ReadAt(h[:], 0)
	if err != nil && err != io.EOF {
		return err
	}
	if !bytes.HasPrefix(h[:n], []byte(magic)) {
		return ErrForeign
	}
	if n < len(h) {
		return fmt.Errorf("%w: cut off in the header", ErrDamaged)
	}
	// Another process that is making the file marks it before it makes the first table.
	if id := h.u32(68); id != applicationID && (id != 0 || h.u32(40) != 0) {
		return ErrForeign
	}
	// While there is a log beside the file, the pages that are missing may be there.
	if _, err := os.Stat(file + "-wal"); errors.Is(err, fs.ErrNotExist) && size < h.size() {
		return fmt.Errorf("%w: cut off after %d of %d bytes", ErrDamaged, size, h.size())
	}
	return nil
}
