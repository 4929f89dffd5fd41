// SPDX-License-Identifier: Apache-2.0

//go:build !js

package main

import "log"

func main() { log.Fatal("krow-wasm runs in a browser: make site builds it") }
