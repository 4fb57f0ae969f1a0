# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a check() of fsslower's tests may use besides tests/lib/live/check.sh.

# calls CONDITION FIELDS: how many of the workload's calls have the same FIELDS (jq), one kind a line
calls() {
	lines '.type == "event" and .comm == "fscalls"' |
		gojq -r "map(.name = (.file | split(\"/\") | last) | select($1) | [$2 | tostring] | join(\" \")) | group_by(.) | .[] | \"\(length) \(.[0])\"" | sort -k2
}

# Lines of a list in a test, without what indents it.
list() {
	sed 's/^[[:space:]]*//'
}

# What was lost, but for the programs that a preemptible kernel skipped: a run with those is made again.
losses() {
	lines '.type == "end"' "${1:-stdout}" '.[0].lost'
}
