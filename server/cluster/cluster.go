// SPDX-License-Identifier: Apache-2.0

// Package cluster is the queue of many machines: package work over NATS JetStream.
//
// # Basics
//
// An organiser has units and wants results. Workers do units. Between them is a NATS server, of its own or in the
// organiser's process:
//
//	server, err := cluster.Serve(cluster.ServerOptions{Addr: "127.0.0.1:4222"})
//	o, err := cluster.NewOrganiser(ctx, server.Connect, cluster.OrganiserOptions{Build: b, Kinds: kinds})
//	queue := o.Queue(cluster.Run{Name: "match-1f3a"}) // a work.Queue
//
//	w := cluster.Worker{Name: "host-1", Build: b, Cores: 4, Kinds: kinds}
//	err := w.Run(ctx, conn)
//
// The subjects and streams:
//
//	krow.work.BUILD.RUN            units, in the stream KROW_WORK: a work queue with one consumer for each build
//	krow.result.RUN.UNIT.N.NAME    results of a worker, in the stream KROW_RESULTS: N is 0, or 1 for the check of the unit
//	krow.dead.RUN                  units that could not be done, in the stream KROW_DEAD: see DeadLetter
//	KROW_FILES                     an object store: the files that units name, by hash
//	krow.back.NAME                 a unit that a worker gives back, since its cores are busy; kept nowhere
//	krow.worker.NAME, krow.run.NAME   what workers and runs say about themselves, now and then; kept nowhere
//	krow.order.RUN                 requests to an organiser: pause, resume, cancel, priority, share
//
// # Delivery
//
// A worker says now and then that it is still at a unit. After a silence another worker gets it. A result is
// published before its unit is acknowledged, and the stream takes one result of a unit: so a unit is done at least once,
// and counted once. A unit that failed five times, or whose workers died as often, has a dead letter as its result.
//
// The streams may be lost, as those of an embedded server that was killed: an organiser sees it and hands out again what
// it has no result of. What an organiser has delivered is kept by whoever asked, in a file or a database.
//
// # Trust
//
// One unit in a hundred, and the first of each worker, is done by a second worker too, or by the organiser where there is no
// other. Where the results differ the organiser does the unit itself. Whoever was wrong is set aside: its results are withdrawn and done again.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	workStream   = "KROW_WORK"
	resultStream = "KROW_RESULTS"

	deadStream = "KROW_DEAD"

	failedHeader = "Krow-Failed" // of a result: why there is none
	byHeader     = "Krow-By"     // of a result: its worker, as in the subject. Answers of a server that a worker misdirects lack it.
	checkHeader  = "Krow-Check"  // of a unit: who must not do it again
	triesHeader  = "Krow-Tries"  // of a unit that was lost with a server: how often
)

// maxTries is how often a unit is tried.
const maxTries = 5

// maxResult is the size of a result at most, in bytes.
const maxResult = 1 << 20

// maxMessage is the size of a message at most: a result and what stands above it.
const maxMessage = maxResult + 64<<10

// maxDead is how many units that could not be done are kept.
const maxDead = 1000

// resultsKept is how long results of unfinished runs are kept.
const resultsKept = 7 * 24 * time.Hour

// heartbeat is how often a server says that it is there to those that wait for a message.
const heartbeat = 500 * time.Millisecond

func workSubject(build, run string) string { return "krow.work." + build + "." + run }

// resultSubject is that of a worker's result; * stands for all workers.
func resultSubject(run, key string, n int, worker string) string {
	return fmt.Sprintf("krow.result.%s.%s.%d.%s", run, key, n, worker)
}

// consumerName names the consumer of the workers of a build.
func consumerName(build string) string { return "workers-" + build }

// storage is where the streams are.
type storage struct {
	memory   bool
	replicas int
	patience time.Duration // a worker that is silent for so long has lost its unit
}

// ensure makes the streams that are not there, and the consumer of the workers of a build.
func (s storage) ensure(ctx context.Context, js jetstream.JetStream, build string) error {
	kind := jetstream.FileStorage
	if s.memory {
		kind = jetstream.MemoryStorage
	}
	streams := []jetstream.StreamConfig{{
		Name: workStream, Subjects: []string{"krow.work.>"}, Retention: jetstream.WorkQueuePolicy,
		MaxMsgSize: maxMessage, Duplicates: time.Minute,
	}, {
		Name: resultStream, Subjects: []string{"krow.result.>"}, MaxAge: resultsKept,
		MaxMsgSize: maxMessage, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
		Duplicates: time.Second,
	}, {
		Name: deadStream, Subjects: []string{"krow.dead.*"}, MaxAge: resultsKept, MaxMsgs: maxDead, MaxMsgSize: maxMessage,
	}}
	for _, c := range streams {
		c.Storage, c.Replicas = kind, max(s.replicas, 1)
		_, err := js.CreateStream(ctx, c)
		if err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return fmt.Errorf("stream %s: %w", c.Name, err)
		}
	}
	_, err := js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, TTL: resultsKept, Storage: kind, Replicas: max(s.replicas, 1)})
	if err != nil && !errors.Is(err, jetstream.ErrBucketExists) {
		return fmt.Errorf("files %s: %w", filesBucket, err)
	}
	_, err = js.CreateOrUpdateConsumer(ctx, workStream, jetstream.ConsumerConfig{
		Durable: consumerName(build), FilterSubject: workSubject(build, ">"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: s.patience, MaxAckPending: -1, MaxWaiting: 1 << 17, InactiveThreshold: resultsKept,
	})
	if err != nil {
		return fmt.Errorf("workers of build %s: %w", build, err)
	}
	return nil
}
