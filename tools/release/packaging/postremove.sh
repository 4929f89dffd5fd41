#!/bin/sh
set -e

# The database in /var/lib/krow stays: it is its owner's.
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
