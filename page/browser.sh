#!/usr/bin/env bash
# Installs the browser that the tests of the page need, where it is missing and may be installed.
set -euo pipefail
[ "${KROW_NO_BROWSER:-}" = 1 ] && exit
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
	command -v $name >/dev/null && exit
done
echo "installing chromium for the tests of the page; KROW_NO_BROWSER=1 does without"
sudo=$([ "$(id -u)" = 0 ] || echo sudo)
for try in 1 2 3; do # another apt-get may be at work
	$sudo apt-get update -qq || { sleep 5; continue; }
	# The one without windows takes a third of the processor time. Not every distribution has it.
	$sudo apt-get install -y -qq chromium-headless-shell fonts-liberation >/dev/null && exit
	$sudo apt-get install -y -qq chromium >/dev/null && exit
	sleep 5
done
exit 1
