# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the workload's network namespace has counted, and what strata has seen, of one file.
counted() { # FILE NAME
	lines '.type == "expected"' "$1.right" ".[0].$2"
}

segments() { # FILE CAUSE (a regular expression)
	lines ".type == \"event\" and (.cause | test(\"^($2)\$\"))" "$1" | gojq 'map(.segments) | add // 0'
}

rows() { # FILE CAUSE
	lines ".type == \"event\" and (.cause | test(\"^($2)\$\"))" "$1" | gojq length
}

# All segments, and each cause of which the kernel keeps an account.
same_counts() { # FILE
	same "$1: segments" "$(counted "$1" RetransSegs)" \
		"$(lines '.type == "event" and (.cause | startswith("TLP new") | not)' "$1" 'map(.segments) | add // 0')"
	same "$1: in slow start" "$(counted "$1" TCPSlowStartRetrans)" "$(segments "$1" 'slow start')"
	same "$1: in recovery" "$(counted "$1" TCPFastRetrans)" "$(segments "$1" 'SACK|fast')"
	same "$1: of the handshake" "$(counted "$1" TCPSynRetrans)" "$(rows "$1" 'SYN|SYN-ACK')"
	same "$1: others" 0 "$(rows "$1" 'other|cause.*')"
	[ "$(counted "$1" TCPSynRetrans)" != 0 ] || same "$1: timeouts" "$(counted "$1" TCPTimeouts)" "$(rows "$1" timeout)"
	[ "$(counted "$1" TCPLossProbes)" -ge "$(rows "$1" TLP)" ] || wrong "$1: probes: $(rows "$1" TLP) of $(counted "$1" TCPLossProbes)"
	no_loss "$1"
}
