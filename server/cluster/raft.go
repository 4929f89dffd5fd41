// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"time"
	_ "unsafe" // for go:linkname

	_ "github.com/nats-io/nats-server/v2/server" // whose variables these are
)

// Several servers choose who leads each stream (Raft). Their followers call an election after a silence of four to nine seconds,
// and another one as long after that where nobody won. The server has no option for it, but variables, which its own tests
// set. The leader speaks every quarter of a second here, and two seconds of silence are enough.
//
//go:linkname minElectionTimeout github.com/nats-io/nats-server/v2/server.minElectionTimeout
//go:linkname maxElectionTimeout github.com/nats-io/nats-server/v2/server.maxElectionTimeout
//go:linkname hbInterval github.com/nats-io/nats-server/v2/server.hbInterval
var minElectionTimeout, maxElectionTimeout, hbInterval time.Duration

func init() {
	minElectionTimeout, maxElectionTimeout, hbInterval = time.Second, 2*time.Second, 250*time.Millisecond
}
