-- SPDX-License-Identifier: Apache-2.0
-- The second factor of a member.

-- +goose Up
ALTER TABLE members ADD COLUMN second TEXT NOT NULL DEFAULT '';
