# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a run() of biosnoop's tests may use besides tests/lib/live/lib.sh.

# biosnoop [OPTION...] -- COMMAND...: in JSON; in a guest all of the machine.
biosnoop() {
	"$STRATA" biosnoop --json $SCOPE "$@"
}

# The device that DIR is on.
device_of() { # DIRECTORY
	awk -v at="$1/" 'index(at, $2 == "/" ? $2 : $2 "/") == 1 && length($2) >= most { most = length($2); device = $1 } END { print device }' /proc/mounts
}
