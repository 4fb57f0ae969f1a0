# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In a network namespace of its own, where nothing else happens: dropped NAME 'WORKLOAD' OPTION...
dropped() {
	name=$1 work=$2
	shift 2
	# shellcheck disable=SC2086 # WORKLOAD is words
	"$WORKLOADS/alone" "$STRATA" dropmon -a --netns self -o "json:$OUT/$name" "$@" -- "$WORKLOADS/datagrams" $work >"$OUT/$name.sent"
}
