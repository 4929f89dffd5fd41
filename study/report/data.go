// SPDX-License-Identifier: Apache-2.0

package report

import "fmt"

// Data is a document as JSON: what the page shows, and report.json.
type Data struct {
	Title  string      `json:"title"`
	Made   string      `json:"made,omitempty" doc:"when and by which build, of a report that came with krow"`
	Cost   *Cost       `json:"cost,omitempty"`
	Blocks []DataBlock `json:"blocks" nullable:"false"`
}

// Cost is what it took to compute what is in a document.
type Cost struct {
	Seconds float64 `json:"seconds" doc:"processor time"`
	Small   float64 `json:"small,omitempty" doc:"the same of the study in small"`
	Machine string  `json:"machine" doc:"the processor's name"`
}

// DataBlock is a part of a document. It has what its kind says.
type DataBlock struct {
	Kind      string     `json:"kind" enum:"heading,text,code,list,table,grid,curves,intervals"`
	Level     int        `json:"level,omitempty" doc:"of a heading"`
	Text      string     `json:"text,omitempty" doc:"of a heading, text or code"`
	Items     []string   `json:"items,omitempty" doc:"of a list"`
	Table     *Table     `json:"table,omitempty"`
	Grid      *Grid      `json:"grid,omitempty"`
	Curves    *Curves    `json:"curves,omitempty"`
	Intervals *Intervals `json:"intervals,omitempty"`
}

// Data returns the document as JSON. It has no name of files.
func (d *Document) Data() Data {
	data := Data{Title: d.Title, Made: d.Made, Blocks: []DataBlock{}}
	if d.Cost != (Cost{}) {
		data.Cost = &d.Cost
	}
	for _, b := range d.Blocks {
		data.Blocks = append(data.Blocks, dataBlock(b))
	}
	return data
}

func dataBlock(b Block) DataBlock {
	switch b := b.(type) {
	case Heading:
		return DataBlock{Kind: "heading", Level: b.Level, Text: b.Text}
	case Text:
		return DataBlock{Kind: "text", Text: string(b)}
	case Code:
		return DataBlock{Kind: "code", Text: string(b)}
	case List:
		return DataBlock{Kind: "list", Items: b}
	case Table:
		return DataBlock{Kind: "table", Table: &b}
	case Grid:
		return DataBlock{Kind: "grid", Grid: &b}
	case Curves:
		return DataBlock{Kind: "curves", Curves: &b}
	case Intervals:
		return DataBlock{Kind: "intervals", Intervals: &b}
	}
	panic(fmt.Sprintf("report: block %T has no kind", b))
}
