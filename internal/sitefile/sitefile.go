// SPDX-License-Identifier: Apache-2.0

//go:build site

package sitefile

import "syscall/js"

// Folder is a folder of the site. It has the path that the folder has in krow's source.
type Folder string

// ReadFile returns the contents of a file, and its error is always nil. It waits until the browser has loaded the file. If the
// browser cannot load it, the worker's function krowFile ends the worker, and ReadFile never returns.
func (f Folder) ReadFile(name string) ([]byte, error) {
	loaded := make(chan []byte)
	take := js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := make([]byte, args[0].Length())
		js.CopyBytesToGo(data, args[0])
		go func() { loaded <- data }()
		return nil
	})
	defer take.Release()
	js.Global().Call("krowFile", string(f)+"/"+name).Call("then", take)
	return <-loaded, nil
}
