# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each signal in FILE as the workload has it. The last one tells strata that its command has ended.
shown() { # FILE
	lines '.type == "event" and .target_comm != "strata"' "$1" |
		gojq -c '.[] | [.tgid, .signal, .target_tgid, .target_tid, .target_comm, .code, .result, .origin]'
}

# FILE WANTED WHAT: so many signals of which all has jq's WHAT.
signals() {
	same "$1" "$2" "$(lines ".type == \"event\" and .target_comm != \"strata\" and (${3-true})" "$1" length)"
	no_loss "$1"
}
