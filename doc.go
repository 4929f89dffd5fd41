// SPDX-License-Identifier: Apache-2.0

// Package krow is the root of the module; it holds the policy test of the layers. Start at package game for
// the rules, search for the searches, and catalog for everything by name.
package krow
