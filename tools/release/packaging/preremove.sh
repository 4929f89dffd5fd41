#!/bin/sh
set -e

# dpkg says remove, rpm says 0; an upgrade says upgrade or 1, and leaves the service as it is.
case "${1:-}" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl --no-reload disable --now krow.service
	fi
	;;
esac
