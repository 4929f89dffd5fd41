// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Option declares an argument: everything that Read, a listing or a form needs to know about it. For each kind of value, a
// function below makes an option. The methods of Option add details:
//
//	spec.Whole("episodes", 5, 1, 1000).At(1).Says("How many games it plays against itself.")
type Option struct {
	Key string `json:"key"`
	// Kind is number, whole, switch, choice, sides (of a board, such as 20x15), time, size, spec or text.
	Kind    string   `json:"kind" enum:"number,whole,switch,choice,sides,time,size,spec,text"`
	Default string   `json:"default"`
	Low     float64  `json:"low" doc:"smallest value of a number or a side length"`
	High    float64  `json:"high" doc:"greatest value of a number or a side length"`
	Words   []string `json:"words,omitempty" doc:"words of a choice"`
	About   string   `json:"about,omitempty" doc:"description in one sentence"`

	usual    any // what the getter returns if the argument is not given
	parse    func(text string) (any, bool)
	want     string // description of a valid value for error messages
	place    int    // number of a positional argument, from 1; 0 if the argument can be given by its key only
	shape    string // stands for the value in a usage line
	bare     bool   // the usage line shows only shape, instead of KEY=shape
	required bool
	quiet    bool // the usage line leaves the option out
	private  bool // the option may read a file, start a program, or take memory or threads, so an untrusted spec must not contain it
	// The option is private, but an untrusted spec may contain it if its value is one of Words or a file in the directory that
	// the function Inputs has set.
	file    bool
	bounded bool // the value costs time or memory, so it is at most untrustedMost in an untrusted spec
}

// Whole returns an option whose value is an integer between low and high.
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

// Count returns an option whose value is an integer of 64 bits, such as a number of nodes.
func Count(key string, usual uint64) Option {
	o := Seed(key, usual)
	o.bounded = true
	return o
}

// Seed returns an option whose value is an integer of 64 bits, such as a seed. A greater value does not cost more time or
// memory, so an untrusted spec may contain any value.
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

// Number returns an option whose value is a number between low and high.
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

// Time returns an option whose value is a positive duration, such as 500ms.
func Time(key string, usual time.Duration) Option {
	return Option{
		Key: key, Kind: "time", Default: usual.String(), usual: usual, shape: "D", want: "a positive time such as 500ms or 2s",
		parse: func(text string) (any, bool) {
			d, err := time.ParseDuration(text)
			return d, err == nil && d > 0
		},
	}
}

// Size returns an option whose value is a number of bytes, such as 64M, in the syntax of Bytes. The minimum is the parameter
// least. A number without unit counts megabytes; 0 is allowed only if least is 0. The option is private: an untrusted spec may
// not contain it.
func Size(key string, usual, least int) Option {
	return Option{
		Key: key, Kind: "size", Default: strconv.Itoa(usual), usual: usual, shape: "SIZE", want: "a size up to 1024G such as 64M", private: true,
		parse: func(text string) (any, bool) {
			n, ok := Bytes(text, 1<<20)
			return n, (ok || text == "0") && n >= least
		},
	}
}

// Threads returns an option whose value is a number of threads or jobs. The minimum is the parameter least, which is also the
// default. The option is private: an untrusted spec may not contain it.
func Threads(key string, least, most int) Option {
	o := Whole(key, least, least, most)
	o.private = true
	return o
}

// Switch returns an option whose value is on or off.
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

// Choice returns an option whose value is one of words; the first is the default.
func Choice(key string, words ...string) Option {
	all := strings.Join(words, "|")
	return Option{
		Key: key, Kind: "choice", Default: words[0], Words: words, usual: words[0], shape: all, want: all,
		parse: func(text string) (any, bool) { return text, slices.Contains(words, text) },
	}
}

// Inner returns an option whose value is another spec. shape stands for the value in a usage line.
func Inner(key, shape, usual string) Option { return text(key, "spec", shape, usual) }

// Text returns an option whose value is any text, such as the name of a program or a folder. The option is private: an
// untrusted spec may not contain it.
func Text(key, shape, usual string) Option {
	o := Word(key, shape, usual)
	o.private = true
	return o
}

// Word returns an option whose value is a text that an untrusted spec may contain.
func Word(key, shape, usual string) Option { return text(key, "text", shape, usual) }

// File returns an option whose value is the name of a file to be read, or one of words. An untrusted spec may contain the
// option only if the value is one of words or a file of Inputs.
func File(key, usual string, words ...string) Option {
	o := text(key, "text", strings.Join(append(slices.Clone(words), "FILE"), "|"), usual)
	o.Words, o.private, o.file = words, true, true
	return o
}

// Sides returns an option whose value is the size of a board, such as 20x15. Each side is from 1 to high.
func Sides(key, shape, usual string, high int) Option {
	o := text(key, "sides", shape, usual)
	o.Low, o.High = 1, float64(high)
	return o
}

// Others returns an option for arguments that are not known yet, such as the parameters that a program declares. Read accepts any
// such argument without looking at it.
func Others(shape string) Option { return Option{shape: shape} }

func text(key, kind, shape, usual string) Option {
	return Option{Key: key, Kind: kind, Default: usual, usual: usual, shape: shape, parse: func(text string) (any, bool) { return text, true }}
}

// At allows the argument to be given by position, without its key. place is the number of the position, from 1.
func (o Option) At(place int) Option {
	o.place = place
	return o
}

// Says returns the option with a description: about is one sentence.
func (o Option) Says(about string) Option {
	o.About = about
	return o
}

// Bare makes a usage line show shape in place of KEY=VALUE, for an argument that is normally given without its key.
func (o Option) Bare(shape string) Option {
	o.shape, o.bare = shape, true
	return o
}

// Required makes a usage line show the option without brackets. The caller must refuse a spec that lacks it.
func (o Option) Required() Option {
	o.required = true
	return o
}

// Quiet leaves the option out of usage lines, because it is only for measurements.
func (o Option) Quiet() Option {
	o.quiet = true
	return o
}

// Usage returns the usage line of the arguments: [:depth=N][,eval=H]. Consecutive switches share one pair of brackets:
// [,block,either=on|off].
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

// Public returns the options that an untrusted spec may contain, with the bounds for untrusted specs.
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

// WrapUsage breaks a usage into lines between its arguments. If possible, no line is longer than
// the parameter most, in bytes.
func WrapUsage(usage string, most int) []string {
	var lines []string
	line := ""
	for _, part := range strings.SplitAfter(usage, "]") {
		if line != "" && len(line)+len(part) > most {
			lines = append(lines, line)
			line = ""
		}
		line += part
	}
	return append(lines, line)
}
