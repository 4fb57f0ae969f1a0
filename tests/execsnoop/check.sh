# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a check() of execsnoop's tests may use besides tests/lib/live/check.sh.

# agree FILE [ALSO]: each line of FILE that says what is right has its event there, with the same in every field, one for
# each process; ALSO, of jq, on event $e and right line $r gives false for a difference besides.
agree() {
	gojq -rn --slurpfile lines "$1" '
		($lines | map(select(.type == "right"))) as $rights | ($lines | map(select(.type == "event"))) as $events
		| $rights[] | . as $r | [$events[] | select(.tgid == $r.tgid and .file == $r.file)] as $found
		| if ($found | length) != 1 then "\($found | length) events for \($r.file)" else $found[0] as $e
			| ($r | del(.type, .code, .killed, .empty, .by_thread) | to_entries[] | select($e[.key] != .value) | "\(.key): wanted \(.value), got \($e[.key])"),
			  (select(('"${2-true}"') | not) | "wrong: \($e) \($r)")
		end' >differences || wrong 'not JSON'
	[ ! -s differences ] || wrong "$(cut -c1-300 differences)"
	same 'losses' '{}' "$(lines '.type == "end"' "$1" '.[].lost')"
}
