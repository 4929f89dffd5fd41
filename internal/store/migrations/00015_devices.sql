-- SPDX-License-Identifier: Apache-2.0
-- Browsers in which members have logged in; columns that nothing ever wrote go. See docs/reference/formats/store.md.

-- +goose Up
CREATE TABLE devices (
	member  INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	browser TEXT    NOT NULL,
	seen    BIGINT  NOT NULL,
	PRIMARY KEY (member, browser)
);
ALTER TABLE leagues DROP COLUMN owner;
ALTER TABLE league_members DROP COLUMN owner;
ALTER TABLE collections DROP COLUMN owner;
ALTER TABLE games DROP COLUMN owner;

-- +goose Down
ALTER TABLE games ADD COLUMN owner INTEGER;
ALTER TABLE collections ADD COLUMN owner INTEGER;
ALTER TABLE league_members ADD COLUMN owner INTEGER;
ALTER TABLE leagues ADD COLUMN owner INTEGER;
DROP TABLE devices;
