// SPDX-License-Identifier: Apache-2.0

package spec

// Option is an argument that a getter asked for: what a form needs to offer it.
type Option struct {
	Key string `json:"key"`
	// Kind is number, whole, switch, choice, sides (of a board, such as 20x15), time, spec or text.
	Kind    string   `json:"kind" enum:"number,whole,switch,choice,sides,time,spec,text"`
	Default string   `json:"default"`
	Low     float64  `json:"low" doc:"of numbers and sides: the least"`
	High    float64  `json:"high" doc:"of numbers and sides: the greatest"`
	Words   []string `json:"words,omitempty" doc:"of a choice"`
	About   string   `json:"about,omitempty" doc:"what it means, in a sentence"`
}

// Options returns what the getters have asked for so far, in order, each key once. A guarded spec has nothing that it would
// refuse.
func (s *Spec) Options() []Option { return s.options }

// note keeps an option that a getter asks for. Of a key that is asked for again, the first account stays.
func (s *Spec) note(o Option) {
	for _, old := range s.options {
		if old.Key == o.Key {
			return
		}
	}
	s.options = append(s.options, o)
}

// Sides tells that a text argument which was asked for is the size of a board, each side of it from lo to hi.
func (s *Spec) Sides(key string, lo, hi int) {
	for i := range s.options {
		if s.options[i].Key == key {
			s.options[i].Kind, s.options[i].Low, s.options[i].High = "sides", float64(lo), float64(hi)
		}
	}
}
