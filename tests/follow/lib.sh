# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a run() of follow's tests may use besides tests/lib/live/lib.sh.

# strata follow write in JSON: follow N [OPTION...] -- COMMAND... takes each N-th write.
follow() {
	every=$1
	shift
	"$STRATA" follow write --every "$every" --json $SCOPE "$@"
}

# The same of sends: follow_send N [OPTION...] -- COMMAND...
follow_send() {
	every=$1
	shift
	"$STRATA" follow send --every "$every" --json $SCOPE "$@"
}

# Each request of the workload `queries`: follow_query MODE 4|6 N CLIENTS. Tests run side by side, and see each other's ports: one of its own.
follow_query() {
	port=$((20000 + $$ % 10000))
	"$STRATA" follow query --port $port --sample 1/1 --json -- "$WORKLOADS/queries" "$1" "$2" $port "$3" "$4"
}
