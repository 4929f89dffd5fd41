-- SPDX-License-Identifier: Apache-2.0
-- Passkeys, of which none were kept before: each has a name, the handle by which authenticators know its member, and the
-- credential as JSON. See docs/reference/formats/store.md.

-- +goose Up
DROP TABLE passkeys;
CREATE TABLE passkeys (
	id         BLOB    PRIMARY KEY,
	member     INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	handle     BLOB    NOT NULL,
	name       TEXT    NOT NULL,
	credential BLOB    NOT NULL,
	counter    INTEGER NOT NULL,
	created    BIGINT  NOT NULL,
	seen       BIGINT  NOT NULL
);
CREATE INDEX passkeys_by_member ON passkeys (member);

-- +goose Down
DROP TABLE passkeys;
CREATE TABLE passkeys (
	id      BLOB    PRIMARY KEY,
	member  INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
	key     BLOB    NOT NULL,
	counter INTEGER NOT NULL,
	created BIGINT  NOT NULL,
	seen    BIGINT  NOT NULL
);
CREATE INDEX passkeys_by_member ON passkeys (member);
