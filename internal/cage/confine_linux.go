// SPDX-License-Identifier: Apache-2.0

package cage

// confine takes from this process what a program must not have.
func confine() {}
