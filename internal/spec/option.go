// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Option declares an argument: everything that a reader, a listing or a form needs to know about it. The functions below make
// one for each kind of value, and the methods say more:
//
//	spec.Whole("episodes", 5, 1, 1000).At(1).Says("How many games it plays against itself.")
type Option struct {
	Key string `json:"key"`
	// Kind is number, whole, switch, choice, sides (of a board, such as 20x15), time, size, spec or text.
	Kind    string   `json:"kind" enum:"number,whole,switch,choice,sides,time,size,spec,text"`
	Default string   `json:"default"`
	Low     float64  `json:"low" doc:"of numbers and sides: the least"`
	High    float64  `json:"high" doc:"of numbers and sides: the greatest"`
	Words   []string `json:"words,omitempty" doc:"of a choice"`
	About   string   `json:"about,omitempty" doc:"what it means, in a sentence"`

	usual    any // what the getter returns if the argument is not given
	parse    func(text string) (any, bool)
	want     string // what a value must be, for the error
	place    int    // of a positional argument, from 1; 0 if the argument is given by its key alone
	shape    string // stands for a value in a usage
	bare     bool   // the usage shows the shape without the key
	required bool
	quiet    bool // the usage leaves it out
	private  bool // it reads a file, starts a program, or takes memory or threads: an untrusted spec cannot have it
	file     bool // but an untrusted spec may name a file of Inputs, or one of Words
	bounded  bool // a number that costs: at most untrustedMost in an untrusted spec
}

// Whole is an integer between low and high.
func Whole(key string, usual, low, high int) Option {
	return Option{
		Key: key, Kind: "whole", Default: strconv.Itoa(usual), Low: float64(low), High: float64(high), usual: usual, shape: "N", bounded: true,
		want: fmt.Sprintf("a whole number from %d to %d", low, high),
		parse: func(text string) (any, bool) {
			n, err := strconv.Atoi(text)
			return n, err == nil && n >= low && n <= high
		},
	}
}

// Count is an integer of 64 bits, such as a number of nodes.
func Count(key string, usual uint64) Option {
	o := Seed(key, usual)
	o.bounded = true
	return o
}

// Seed is an integer of 64 bits of which a greater value costs no more time or memory.
func Seed(key string, usual uint64) Option {
	return Option{
		Key: key, Kind: "whole", Default: strconv.FormatUint(usual, 10), High: 1 << 53, usual: usual, shape: "N",
		want: "a whole number from 0 to 18446744073709551615",
		parse: func(text string) (any, bool) {
			n, err := strconv.ParseUint(text, 10, 64)
			return n, err == nil
		},
	}
}

// Number is a number between low and high.
func Number(key string, usual, low, high float64) Option {
	return Option{
		Key: key, Kind: "number", Default: strconv.FormatFloat(usual, 'g', -1, 64), Low: low, High: high, usual: usual, shape: "X",
		want: fmt.Sprintf("a number from %g to %g", low, high),
		parse: func(text string) (any, bool) {
			x, err := strconv.ParseFloat(text, 64)
			return x, err == nil && x >= low && x <= high
		},
	}
}

// Time is a positive length of time, such as 500ms.
func Time(key string, usual time.Duration) Option {
	return Option{
		Key: key, Kind: "time", Default: usual.String(), usual: usual, shape: "D", want: "a positive time such as 500ms or 2s",
		parse: func(text string) (any, bool) {
			d, err := time.ParseDuration(text)
			return d, err == nil && d > 0
		},
	}
}

// Size is a number of bytes, at least least, as Bytes reads it: 64M. A number alone counts megabytes; 0 is a size if least is 0.
// It is private.
func Size(key string, usual, least int) Option {
	return Option{
		Key: key, Kind: "size", Default: strconv.Itoa(usual), usual: usual, shape: "SIZE", want: "a size up to 1024G such as 64M", private: true,
		parse: func(text string) (any, bool) {
			n, ok := Bytes(text, 1<<20)
			return n, (ok || text == "0") && n >= least
		},
	}
}

// Threads is the number of threads or jobs, at least least, which is the default. It is private.
func Threads(key string, least, most int) Option {
	o := Whole(key, least, least, most)
	o.private = true
	return o
}

// Switch is on or off.
func Switch(key string, usual bool) Option {
	word := map[bool]string{true: "on", false: "off"}[usual]
	return Option{
		Key: key, Kind: "switch", Default: word, usual: usual, shape: "on|off", want: "on|off|true|false",
		parse: func(text string) (any, bool) {
			on := text == "on" || text == "true"
			return on, on || text == "off" || text == "false"
		},
	}
}

// Choice is one of a few words; the first is the default.
func Choice(key string, words ...string) Option {
	all := strings.Join(words, "|")
	return Option{
		Key: key, Kind: "choice", Default: words[0], Words: words, usual: words[0], shape: all, want: all,
		parse: func(text string) (any, bool) { return text, slices.Contains(words, text) },
	}
}

// Inner is a spec of its own; shape stands for it in a usage.
func Inner(key, shape, usual string) Option { return text(key, "spec", shape, usual) }

// Text is any text, such as the name of a program or a folder. It is private.
func Text(key, shape, usual string) Option {
	o := Word(key, shape, usual)
	o.private = true
	return o
}

// Word returns an option whose value is a text that an untrusted spec may contain.
func Word(key, shape, usual string) Option { return text(key, "text", shape, usual) }

// File returns an option whose value is the name of a file to be read, or one of words. The value is private, unless it is one of
// words or a file of Inputs.
func File(key, usual string, words ...string) Option {
	o := text(key, "text", strings.Join(append(slices.Clone(words), "FILE"), "|"), usual)
	o.Words, o.private, o.file = words, true, true
	return o
}

// Sides is the size of a board, each side of it from 1 to high, such as 20x15.
func Sides(key, shape, usual string, high int) Option {
	o := text(key, "sides", shape, usual)
	o.Low, o.High = 1, float64(high)
	return o
}

// Others stands for arguments that are not known yet, such as arguments that a program declares. Read accepts them
// unread.
func Others(shape string) Option { return Option{shape: shape} }

func text(key, kind, shape, usual string) Option {
	return Option{Key: key, Kind: kind, Default: usual, usual: usual, shape: shape, parse: func(text string) (any, bool) { return text, true }}
}

// At makes the option positional too: the place-th argument without a key, from 1.
func (o Option) At(place int) Option {
	o.place = place
	return o
}

// Says returns the option with a sentence that explains it.
func (o Option) Says(about string) Option {
	o.About = about
	return o
}

// Bare makes a usage show this in place of KEY=VALUE, for an argument that everybody gives by its place.
func (o Option) Bare(shape string) Option {
	o.shape, o.bare = shape, true
	return o
}

// Required makes a usage show the option without brackets. The caller refuses a spec that lacks it.
func (o Option) Required() Option {
	o.required = true
	return o
}

// Quiet leaves the option out of usages: it is for measurements.
func (o Option) Quiet() Option {
	o.quiet = true
	return o
}

// Usage returns the arguments that may follow a name, for people: [:depth=N][,eval=H]. Neighbouring switches stand
// together.
func Usage(options []Option) string {
	var b strings.Builder
	separator := ":"
	shown := slices.DeleteFunc(slices.Clone(options), func(o Option) bool { return o.quiet })
	for i := 0; i < len(shown); i++ {
		o := shown[i]
		text := o.Key + "=" + o.shape
		for o.Kind == "switch" && i+1 < len(shown) && shown[i+1].Kind == "switch" {
			i++
			text = strings.TrimSuffix(text, "="+o.shape) + "," + shown[i].Key + "=" + o.shape
		}
		if o.bare || o.Key == "" {
			text = o.shape
		}
		if text = separator + text; !o.required {
			text = "[" + text + "]"
		}
		b.WriteString(text)
		separator = ","
	}
	return b.String()
}

// Public returns the options that an untrusted spec can have, with the bounds of its numbers.
func Public(options []Option) (all []Option) {
	for _, o := range options {
		if o.private || o.Key == "" {
			continue
		}
		if o.Kind == "whole" {
			o.High = min(o.High, untrustedMost)
		}
		all = append(all, o)
	}
	return all
}
