// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"time"
)

// Rows of a table are structs. The name of a field's column is the field's name in lower case. The tag db can give another name
// instead, an SQL expression, or "-" for a field without a column. If the tag ends with ",null", the zero value is stored as
// NULL. Fields of nested structs are columns too. An array of two values has a column for each side, such as first_gain and
// second_gain. Times are milliseconds since 1970, 0 for the zero time; maps and lists are JSON.

// querier is implemented by *sql.DB, *sql.Tx and *sql.Conn.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// list returns the rows of a query. If the query begins with FROM, list puts SELECT and the columns for the fields of T
// before it.
func list[T any](s *Store, query string, args ...any) ([]T, error) {
	all, err := listIn[T](s.readers, query, args...)
	return all, wrap(s.name, err)
}

// listIn does the same as list, but sends the query to db, which may be a transaction.
func listIn[T any](db querier, query string, args ...any) (all []T, err error) {
	rows, err := db.QueryContext(context.Background(), selectAll[T](query), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v T
		into := []any{}
		if !isRow[T]() {
			into = append(into, &v)
		} else {
			eachField(reflect.ValueOf(&v).Elem(), "", func(_ string, _ bool, field reflect.Value) { into = append(into, target(field)) })
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// find returns the only row of a query. As in list, the query may begin with FROM. If there is no row, find returns the
// given error.
func find[T any](s *Store, missing error, query string, args ...any) (T, error) {
	v, err := findIn[T](prepared{s}, missing, query, args...)
	return v, wrap(s.name, err)
}

// findIn does the same as find, but sends the query to db, which may be a transaction.
func findIn[T any](db querier, missing error, query string, args ...any) (v T, err error) {
	all, err := listIn[T](db, query, args...)
	switch {
	case err != nil:
		return v, err
	case len(all) == 0:
		return v, missing
	}
	return all[0], nil
}

func isRow[T any]() bool { return reflect.TypeFor[T]().Kind() == reflect.Struct }

// selectAll adds the columns of T to a query that begins with FROM. It returns other queries unchanged.
func selectAll[T any](query string) string {
	if !strings.HasPrefix(query, "FROM ") {
		return query
	}
	var columns []string
	var v T
	eachField(reflect.ValueOf(&v).Elem(), "", func(column string, null bool, field reflect.Value) {
		switch {
		case null && field.Kind() == reflect.String:
			column = "coalesce(" + column + ", '')"
		case null:
			column = "coalesce(" + column + ", 0)"
		}
		columns = append(columns, column)
	})
	return "SELECT " + strings.Join(columns, ", ") + " " + query
}

// insert adds a row to a table. It leaves out columns that are expressions. It also leaves out a column whose field is zero,
// if the column has the name id or number or can be NULL. The argument end is a clause that is appended to the statement, or
// empty.
func insert(tx *sql.Tx, table string, row any, end string) (sql.Result, error) {
	var columns []string
	var values []any
	eachField(reflect.ValueOf(row), "", func(column string, null bool, field reflect.Value) {
		if strings.Contains(column, "(") || (null || column == "id" || column == "number") && field.IsZero() {
			return
		}
		columns, values = append(columns, column), append(values, stored(field))
	})
	return tx.Exec("INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES (?"+strings.Repeat(", ?", len(columns)-1)+") "+end, values...)
}

// add adds a row to a table in a separate transaction.
func (s *Store) add(table string, row any) error {
	return s.update(func(tx *sql.Tx) error {
		_, err := insert(tx, table, row, "")
		return err
	})
}

// eachField calls f with each field of a row and the name of its column.
func eachField(row reflect.Value, prefix string, f func(column string, null bool, field reflect.Value)) {
	for i := range row.NumField() {
		about, field := row.Type().Field(i), row.Field(i)
		column, tagged := about.Tag.Lookup("db")
		if !tagged {
			column = strings.ToLower(about.Name)
		}
		column, null := strings.CutSuffix(column, ",null")
		switch kind := field.Kind(); {
		case column == "-":
		case kind == reflect.Struct && field.Type() != reflect.TypeFor[time.Time]():
			eachField(field, prefix, f)
		case kind == reflect.Array && field.Type().Elem().Kind() == reflect.Struct:
			eachField(field.Index(0), "first_", f)
			eachField(field.Index(1), "second_", f)
		case kind == reflect.Array:
			f("first_"+column, null, field.Index(0))
			f("second_"+column, null, field.Index(1))
		default:
			f(prefix+column, null, field)
		}
	}
}

// target returns the argument of rows.Scan that reads a column into a field.
func target(field reflect.Value) any {
	switch p := field.Addr().Interface().(type) {
	case *time.Time:
		return (*millis)(p)
	case *json.RawMessage:
		return (*[]byte)(p)
	case *[]byte:
		return p
	case *uint64:
		return (*bits)(p)
	default:
		if k := field.Kind(); k == reflect.Map || k == reflect.Slice {
			return jsonText{p}
		}
		return p
	}
}

// stored returns the value of a field as it is stored in a column.
func stored(field reflect.Value) any {
	switch v := field.Interface().(type) {
	case time.Time:
		return millisOf(v)
	case json.RawMessage:
		return string(v)
	case []byte:
		return v
	case uint64:
		return int64(v) // SQLite has no unsigned numbers, so the same bits are stored as a signed number
	default:
		if k := field.Kind(); k == reflect.Map || k == reflect.Slice {
			return jsonText{v}
		}
		return v
	}
}

// millis is a time that Scan reads from milliseconds since 1970.
type millis time.Time

// Scan implements [sql.Scanner].
func (m *millis) Scan(v any) error {
	n, ok := v.(int64)
	if !ok && v != nil {
		return errors.New("a time is not a number")
	}
	*m = millis{}
	if n != 0 {
		*m = millis(time.UnixMilli(n).UTC())
	}
	return nil
}

// millisOf returns the stored form of a time: milliseconds since 1970, 0 for the zero time.
func millisOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// bits is an unsigned key or hash. Scan reads it from the signed number with the same bits, which is the stored form.
type bits uint64

// Scan implements [sql.Scanner].
func (b *bits) Scan(v any) error {
	n, ok := v.(int64)
	if !ok {
		return errors.New("a key is not a number")
	}
	*b = bits(n)
	return nil
}

// jsonText is a value that is stored as JSON text.
type jsonText struct{ v any }

// Scan implements [sql.Scanner].
func (j jsonText) Scan(v any) error {
	text, ok := v.(string)
	if !ok {
		return errors.New("a JSON column is not text")
	}
	return json.Unmarshal([]byte(text), j.v)
}

// Value implements [driver.Valuer].
func (j jsonText) Value() (driver.Value, error) {
	text, err := json.Marshal(j.v)
	return string(text), err
}
