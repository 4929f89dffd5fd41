-- SPDX-License-Identifier: Apache-2.0
-- Browsers that a push service wakes when it is the member's turn. Such a browser is one session of the member.

-- +goose Up
CREATE TABLE subscriptions (
	session  BLOB PRIMARY KEY REFERENCES sessions (hash) ON DELETE CASCADE,
	endpoint TEXT NOT NULL,
	p256dh   TEXT NOT NULL,
	auth     TEXT NOT NULL
);
