# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In a network namespace of its own, where nothing else arrives: received NAME 'COMMAND' OPTION...
received() {
	name=$1 work=$2
	shift 2
	# shellcheck disable=SC2086 # COMMAND is words
	"$WORKLOADS/alone" "$STRATA" rxsnoop -a --netns self -o "json:$OUT/$name" "$@" -- "$WORKLOADS"/$work >"$OUT/$name.sent"
}
