// SPDX-License-Identifier: Apache-2.0

//go:build js && wasm

// Krow-wasm answers the page's requests in a web worker of the browser: see package local. It gives the worker the functions
// krowAnswer(method, path, body, kept) and krowStream(path, body, send).
package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/local"
	"github.com/krow-lab/krow/app/training"
	"github.com/krow-lab/krow/player/bot"
)

func main() {
	bot.Serve(krow.Game)
	js.Global().Set("krowAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return inPromise(func() any { return answer(args[0].String(), args[1].String(), args[2], args[3].String()) })
	}))
	js.Global().Set("krowStream", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return inPromise(func() any {
			local.Stream(args[0].String(), []byte(args[1].String()), func(event, data string) { args[2].Invoke(event, data) })
			return nil
		})
	}))
	js.Global().Call("krowReady")
	select {}
}

// answer answers a request. It returns the status, the content type and the body of the answer, and the data of the puzzle
// training, which the page must store.
func answer(method, path string, body js.Value, kept string) any {
	sent := make([]byte, body.Length())
	js.CopyBytesToGo(sent, body)
	if kept != "" {
		local.Keep = training.Memory{}
		_ = json.Unmarshal([]byte(kept), &local.Keep.Kept) // the error is ignored: with damaged data, the memory starts empty
	}
	r := local.Answer(method, path, sent)
	bytes := js.Global().Get("Uint8Array").New(len(r.Body))
	js.CopyBytesToJS(bytes, r.Body)
	if kept != "" {
		now, _ := json.Marshal(local.Keep.Kept) // Marshal cannot fail, because Kept contains only texts, numbers and times
		kept = string(now)
	}
	return []any{r.Status, r.Type, bytes, kept}
}

// inPromise calls work in a goroutine, and returns a JavaScript promise of the result. The goroutine is necessary because a
// function that JavaScript calls must not block.
func inPromise(work func() any) js.Value {
	return js.Global().Get("Promise").New(js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() { args[0].Invoke(work()) }()
		return nil
	}))
}
