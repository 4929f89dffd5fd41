// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// Cell is one result of a study, such as a cell of a published table.
type Cell struct {
	Study, Variant, Key string          // together its name
	Result              json.RawMessage // whatever the study keeps
}

// PutCell keeps a cell, in place of one by the same name.
func (s *Store) PutCell(c Cell) error {
	if !json.Valid(c.Result) {
		return wrap(s.name, fmt.Errorf("cell %s %s %s: the result is not JSON", c.Study, c.Variant, c.Key))
	}
	return s.update(func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO cells (study, variant, cell, result, updated) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (study, variant, cell) DO UPDATE SET result = excluded.result, updated = excluded.updated`,
			c.Study, c.Variant, c.Key, string(c.Result), now())
		return err
	})
}

// Cell returns a result, and whether there is one.
func (s *Store) Cell(study, variant, key string) (result json.RawMessage, ok bool, err error) {
	var text string
	err = s.readers.QueryRow("SELECT result FROM cells WHERE study = $1 AND variant = $2 AND cell = $3", study, variant, key).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, wrap(s.name, err)
	}
	return json.RawMessage(text), true, nil
}

// Cells returns all results of a variant of a study, by key.
func (s *Store) Cells(study, variant string) ([]Cell, error) {
	scan := func(rows *sql.Rows) (Cell, error) {
		c := Cell{Study: study, Variant: variant}
		var text string
		err := rows.Scan(&c.Key, &text)
		c.Result = json.RawMessage(text)
		return c, err
	}
	return collect(s, scan, "SELECT cell, result FROM cells WHERE study = $1 AND variant = $2 ORDER BY cell", study, variant)
}

// Pieces of studies (see package study) are cells of the study "piece".
const pieces = "piece"

// Piece returns a piece of a study, or nil.
func (s *Store) Piece(key string) ([]byte, error) {
	value, _, err := s.Cell(pieces, "", key)
	return value, err
}

// PutPiece keeps a piece of a study, in place of one by the same key.
func (s *Store) PutPiece(key string, value []byte) error {
	return s.PutCell(Cell{Study: pieces, Key: key, Result: value})
}
