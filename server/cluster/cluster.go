// SPDX-License-Identifier: Apache-2.0

// Package cluster distributes units of work to many machines. It implements the queue of package work over NATS JetStream.
//
// # Basics
//
// A unit is a piece of work, such as a game, that one worker does and answers with a result. An organiser publishes units and
// collects results. Workers do units. Both connect to a NATS server, which runs separately or in the organiser's process:
//
//	server, err := cluster.Serve(cluster.ServerOptions{Addr: "127.0.0.1:4222"})
//	conn, err := server.Connect()
//	o, err := cluster.NewOrganiser(ctx, conn, cluster.OrganiserOptions{Build: b, Kinds: kinds})
//	queue := o.Queue(cluster.Run{Name: "match-1f3a"}) // a work.Queue
//
//	w := cluster.Worker{Name: "host-1", Build: b, Cores: 4, Kinds: kinds}
//	err := w.Run(ctx, conn)
//
// The subjects:
//
//	krow.work.BUILD.RUN               units, in the stream KROW_WORK: a work queue with one consumer for each build
//	krow.answer.RUN-ID.UNIT.WORKER    a worker's answer, a request to the organiser of the run
//	KROW_FILES                        an object store: the files that units name, by hash
//	krow.worker.NAME, krow.run.NAME   reports of workers and runs, sent every second and not stored
//	krow.order.RUN                    requests to an organiser: pause, resume, cancel, priority
//	krow.banned                       names of workers that gave a wrong result
//
// # Delivery
//
// The server delivers each unit to a worker, and to another worker if the first is silent for too long. After five such silences
// the server gives the unit up and informs the organiser. A worker acknowledges a unit when the organiser has received the
// answer. So a unit is done at least once, and counted once.
//
// The server keeps units only in memory, and may lose them. The organiser notices a loss, and publishes the units without a
// result again. The caller keeps delivered results in a file or a database. After an organiser was killed, the caller begins a
// new organiser for the units without a result.
//
// # Trust
//
// One unit in a hundred, and the first of each worker, is also done by a second worker, or by the organiser if there is no
// second worker. If the results differ, the organiser does the unit itself. The worker with the wrong result is excluded: its
// results are withdrawn, and its units are done again.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const workStream = "KROW_WORK"

// Headers of a unit, and of an answer.
const (
	// In a unit: RUN-ID.UNIT. The subject of the answer contains the same text, followed by the worker's name.
	unitHeader = "Krow-Unit"
	// In a unit that checks a worker's result: the name of that worker, who must not do the unit.
	notHeader = "Krow-Not"
	// In an answer: the worker's name, as in the subject. The server itself sends replies to any subject that a worker names.
	// Such a reply lacks this header, so it is not taken for an answer.
	byHeader     = "Krow-By"
	failedHeader = "Krow-Failed" // In an answer: why there is no result.
	backHeader   = "Krow-Back"   // In an answer: why the worker returns the unit without having tried it.
)

// maxTries is the maximum number of times that a unit is delivered if the workers that receive it fall silent. It is also the
// number of failures after which the unit is not tried again.
const maxTries = 5

// maxResult is the maximum size of a result, in bytes.
const maxResult = 1 << 20

// maxMessage is the maximum size of a message: a result and its header.
const maxMessage = maxResult + 64<<10

// unusedTime is the time without use after which the server deletes the files of units, and the consumer (the queue) from
// which the workers of a build take units.
const unusedTime = 7 * 24 * time.Hour

// requestTime is the time limit for an answer from the server or from an organiser.
const requestTime = 2 * time.Second

// retryTime is the time after which a failed request is repeated.
const retryTime = 250 * time.Millisecond

func workSubject(build, run string) string { return "krow.work." + build + "." + run }

func answerSubject(unit, worker string) string { return "krow.answer." + unit + "." + worker }

// consumerName returns the name of the consumer from which the workers of a build take units.
func consumerName(build string) string { return "workers-" + build }

// ensureStreams creates the streams that do not exist, and the consumer of a build. If a worker has been silent for longer than
// patience, the server delivers its unit to another worker.
func ensureStreams(ctx context.Context, js jetstream.JetStream, build string, patience time.Duration) error {
	_, err := js.CreateStream(ctx, jetstream.StreamConfig{
		Name: workStream, Subjects: []string{"krow.work.>"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage, MaxMsgSize: maxMessage,
	})
	if err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return fmt.Errorf("stream %s: %w", workStream, err)
	}
	_, err = js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, TTL: unusedTime, Storage: jetstream.MemoryStorage})
	if err != nil && !errors.Is(err, jetstream.ErrBucketExists) {
		return fmt.Errorf("files %s: %w", filesBucket, err)
	}
	_, err = js.CreateOrUpdateConsumer(ctx, workStream, jetstream.ConsumerConfig{
		Durable: consumerName(build), FilterSubject: workSubject(build, ">"), AckPolicy: jetstream.AckExplicitPolicy, AckWait: patience,
		MaxDeliver: maxTries, MaxAckPending: -1, MaxWaiting: 1 << 17, InactiveThreshold: unusedTime,
	})
	if err != nil {
		return fmt.Errorf("workers of build %s: %w", build, err)
	}
	return nil
}
