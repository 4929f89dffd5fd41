-- SPDX-License-Identifier: Apache-2.0
-- How far members are with lessons, and which of their bots passed their tests.

-- +goose Up
CREATE TABLE progress (
	member INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	item   TEXT    NOT NULL,
	done   INTEGER NOT NULL,
	steps  INTEGER NOT NULL,
	at     BIGINT  NOT NULL,
	PRIMARY KEY (member, item)
);
