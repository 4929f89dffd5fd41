-- SPDX-License-Identifier: Apache-2.0
-- Who may look at a run or a match: private, link or public. See docs/reference/formats/store.md.

-- +goose Up
ALTER TABLE runs ADD COLUMN visibility TEXT NOT NULL DEFAULT 'public';

-- +goose Down
ALTER TABLE runs DROP COLUMN visibility;
