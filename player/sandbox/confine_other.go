// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package sandbox

import "time"

// keepFiles does nothing.
func keepFiles() {}

// enterNamespaces does nothing, because this system has no namespaces.
func enterNamespaces() {}

// confine does nothing: on this system only the watcher protects.
func confine() Walls { return Walls{} }

// provide does nothing.
func provide(uint64, int64) {}

// endAt does nothing.
func endAt(time.Duration) {}

// memoryInUse returns zeros: on this system only the heap is watched.
func memoryInUse() (data, resident uint64) { return 0, 0 }
