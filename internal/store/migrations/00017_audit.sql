-- SPDX-License-Identifier: Apache-2.0
-- The audit log keeps apart what members did to their own accounts (own), and says to which member (about) and from which address
-- something was done. See docs/reference/formats/store.md.

-- +goose Up
ALTER TABLE audit ADD COLUMN about INTEGER NOT NULL DEFAULT 0;
ALTER TABLE audit ADD COLUMN own INTEGER NOT NULL DEFAULT 0;
ALTER TABLE audit ADD COLUMN address TEXT NOT NULL DEFAULT '';
UPDATE audit SET own = 1
WHERE action IN ('new password', 'add passkey', 'remove passkey') OR action = 'rename' AND instr(what, name || ' to ') = 1;
CREATE INDEX audit_by_age ON audit (own, at);
CREATE INDEX audit_by_member ON audit (member, own, id);

-- +goose Down
DROP INDEX audit_by_member;
DROP INDEX audit_by_age;
ALTER TABLE audit DROP COLUMN address;
ALTER TABLE audit DROP COLUMN own;
ALTER TABLE audit DROP COLUMN about;
