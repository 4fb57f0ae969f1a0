# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a run() of follow's tests may use besides tests/lib/live/lib.sh.

# Sends and receives of both kinds between the two namespaces, in files of these names.
follow_across() {
	follow_send 1 -- $ACROSS "$WORKLOADS/sends" 4 read 23 1009 >"$OUT/sent"
	follow_send 1 --udp -- $ACROSS "$WORKLOADS/sends" 6 udp-read 11 1000 >"$OUT/datagrams"
	follow_recv -- 4 read 23 1009 >"$OUT/received"
	follow_recv --udp -- 6 udp-read 11 1000 >"$OUT/udp-received"
}

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

# Each segment that arrives of the workload `sends`: follow_recv [OPTION...] -- 4|6 MODE N SIZE. On a port of its own, which is not the
# one of the run before, nor of a test beside it.
follow_recv() {
	recv_port=$((${recv_port:-$((10000 + $$ % 480 * 20))} + 1))
	options=
	while [ "$1" != -- ]; do options="$options $1" && shift; done
	shift
	"$STRATA" follow recv --port $recv_port --sample 1/1 --json $options -- ${ACROSS-} "$WORKLOADS/sends" "$@" $recv_port
}
