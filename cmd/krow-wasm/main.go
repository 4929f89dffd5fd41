// SPDX-License-Identifier: Apache-2.0

//go:build js && wasm

// Krow-wasm answers the requests of the page in a worker of the browser: see package local. It gives the worker the functions
// krowAnswer(method, address, body) and krowStream(address, send).
package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/krow-lab/krow/app/local"
)

func main() {
	js.Global().Set("krowAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return inPromise(func() any {
			text, ok := local.Reply(args[0].String(), args[1].String(), []byte(args[2].String()))
			return []any{ok, string(text)}
		})
	}))
	js.Global().Set("krowStream", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return inPromise(func() any {
			send := func(event string, v any) {
				text, _ := json.Marshal(v) // answers are plain data
				args[1].Invoke(event, string(text))
			}
			done := map[string]any{"reason": "finished"}
			if err := local.Stream(args[0].String(), send); err != nil {
				done = map[string]any{"reason": "error", "error": err.Error()}
			}
			send("done", done)
			return nil
		})
	}))
	js.Global().Get("krowReady").Invoke()
	select {}
}

// inPromise works in a goroutine, because a function that JavaScript calls must not wait, and returns the promise of the result.
func inPromise(work func() any) js.Value {
	return js.Global().Get("Promise").New(js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() { args[0].Invoke(work()) }()
		return nil
	}))
}
