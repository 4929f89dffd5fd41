#!/bin/sh
set -e

if command -v systemd-sysusers >/dev/null; then
	systemd-sysusers /usr/lib/sysusers.d/krow.conf
elif ! getent passwd krow >/dev/null; then
	useradd --system --home-dir /var/lib/krow --shell /usr/sbin/nologin krow
fi

# The owner is added before the service first starts, and the service would make this folder only then.
install -d -o krow -g krow -m 700 /var/lib/krow

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	# After an upgrade the new program serves, if the old one did. The database stays.
	systemctl try-restart krow.service
fi
