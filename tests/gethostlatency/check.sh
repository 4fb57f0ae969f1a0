# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# calls FILE, rows FILE: what the workload, and strata, say of each call, a line each, in order.
calls() { gojq -r 'select(.type == "called") | [.call, .host, .result] | join(" ")' "$1"; }
rows() { gojq -r 'select(.type == "event" and (.comm | startswith("resolves"))) | [.function, .query, .result] | join(" ")' "$1"; }

# as_called WHAT N CALLS ROWS: the same calls, N of them, each with a latency
as_called() {
	same "$1: calls" "$2" "$(calls "$3" | wc -l)"
	same "$1" "$(calls "$3")" "$(rows "$4")"
	same "$1: latencies" '[]' "$(lines '.type == "event" and .lat_ns <= 0' "$4")"
	no_loss "$4"
}
