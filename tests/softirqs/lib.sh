# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the tests of softirqs share.

# How often the threads that take softirqs over (ksoftirqd) have left a CPU, and how often NET_RX has run.
so_far() {
	# shellcheck disable=SC2046 # numbers of processes
	cat $(grep -l '^ksoftirqd/' /proc/[0-9]*/comm 2>/dev/null | sed 's/comm$/status/') /proc/softirqs |
		awk '/_ctxt_switches:/ { left += $2 } $1 == "NET_RX:" { for (i = 2; i <= NF; i++) ran += $i } END { print left + 0 "," ran }'
}

# 1009 datagrams as strata sees them: sending NAME OPTION...
sending() {
	name=$1
	shift
	before=$(so_far)
	"$STRATA" softirqs --json "$@" -- "$WORKLOADS/packets" >"$OUT/$name" || note failed "\"$name\""
	note "$name" "[$before,$(so_far)]"
}
