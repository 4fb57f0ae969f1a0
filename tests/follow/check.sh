# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a check() of follow's tests may use besides tests/lib/live/check.sh.

WRITE_SKIPPED="writes not looked at, $SKIPPED"
READ_SKIPPED="reads not looked at, $SKIPPED"
SEND_SKIPPED="sends not looked at, $SKIPPED"
RECV_SKIPPED="segments not looked at, $SKIPPED"
FSYNC_SKIPPED="fsyncs not looked at, $SKIPPED"
QUERY_SKIPPED="requests not looked at, $SKIPPED"

# account KEY=VALUE...: compares entries of the summary's account, and demands as many samples as it says.
account() {
	local file=stdout summary pair
	[ "$1" != -f ] || { file=$2 && shift 2; }
	summary=$(lines '.type == "end"' "$file")
	same "summaries in $file" 1 "$(gojq length <<<"$summary")"
	for pair in "$@"; do
		same "${pair%%=*}" "${pair#*=}" "$(gojq -c ".[0].account | .lost |= ($(unforgiven)) | .${pair%%=*}" <<<"$summary")"
	done
	same losses '{}' "$(gojq -c ".[0].lost | $(unforgiven)" <<<"$summary")"
	[ "$(gojq '.[0].account | (.lost | add // 0) * 10 <= .sampled' <<<"$summary")" = true ] || wrong "more than a tenth is lost: $(gojq -c '.[0].account' <<<"$summary")"
}

# What jq is to take away from losses, because some hosts have it at no fault of strata's; it is counted, and the account
# holds all the same (src/follow/README.md). A busy host may not run a program on block_rq_complete; a guest has no other work. A
# preemptible kernel skips a program while another task that was preempted in it waits for the CPU.
unforgiven() {
	local keys=''
	[ -e guest ] || keys='."completions that no hook saw"'
	[ ! -e preemptible ] || keys+="${keys:+, }.\"$SKIPPED\", .\"$WRITE_SKIPPED\", .\"$READ_SKIPPED\", .\"$FSYNC_SKIPPED\", .\"$SEND_SKIPPED\", .\"$RECV_SKIPPED\", .\"$QUERY_SKIPPED\", .\"return not seen\""
	[ -z "$keys" ] && echo . || echo "del($keys)"
}

# All N samples completed, none lost, and N samples were printed.
all_completed() {
	account sampled="$1" completed="$1" pending=0 truncated=0 'failed={}' 'lost={}'
	same 'samples printed' "$1" "$(lines '.type == "sample" and .outcome == "completed"' stdout length)"
}

# What was expected of each write (JSON lines of a workload, $1) against the samples ($2), in order. btrfs may leave the
# pages of an unlinked file to its cleaner thread: what is to be truncated may still wait when the run ends. xfs of 5.10
# flushes what lies between the size on disk and a smaller one before it truncates: that may be completed.
agree() {
	local late='' skipped=false
	[[ $PWD != *.btrfs.* ]] || late='|pending'
	[[ $PWD != *.xfs.* ]] || late='|completed'
	[ ! -e preemptible ] || skipped=true
	gojq -rn --arg late "$late" --argjson skipped $skipped --arg reason "$SKIPPED" --slurpfile samples "$2" --slurpfile writes "$1" '
		($samples | map(select(.type == "sample")) | sort_by(.id)) as $samples
		| def place: [.file, .offset_bytes, .size_bytes];
		range([($samples | length), ($writes | length)] | max) as $i
		| ($samples[$i] // {}) as $s | ($writes[$i] // {}) as $w
		| select(($s | place) != ($w | place) or (($w.expect // "") + (if $w.expect // "" | contains("truncated") then $late else "" end) | split("|") | index($s.outcome) | not))
		| select(($skipped and $s.outcome == "lost" and ($s.reason == $reason or $s.reason == "return not seen")) | not)
		| "write \($w.n) (\($w.kind)): wanted \($w | place) \($w.expect), got \($s | place) \($s.outcome) \($s.reason)"
	' >differences || wrong 'stdout is not JSON'
	[ ! -s differences ] || wrong "$(wc -l <differences) of $(wc -l <"$1") writes differ:"$'\n'"$(head -n 3 differences)"
}

# in_account [FILE]: completed, pending, ... in all; each sample is there once
in_account() {
	summary '.account | del(.sampled) | [.[] | if type == "object" then add // 0 else . end] | add' "$@"
}

# covers FILE WRITES: each sample is in the account, and samples and writes that were not looked at are all writes. True if
# nothing was skipped that may be: then there must be as many samples as writes.
covers() {
	local sampled skipped
	sampled=$(summary .account.sampled "$1")
	skipped=$(summary ".lost.\"$WRITE_SKIPPED\" // 0" "$1")
	same "$1: samples in the account" "$sampled" "$(in_account "$1")"
	[ $((sampled + skipped)) -ge "$2" ] || wrong "$1: $sampled samples and $skipped writes not looked at are less than $2 writes"
	[ ! -e preemptible ] || [ "$(summary "[.lost.\"$SKIPPED\", .lost.\"$WRITE_SKIPPED\"] | add // 0" "$1")" = 0 ]
}

# summary FILTER [FILE]: what jq's FILTER makes of the summary
summary() {
	lines '.type == "end"' "${2:-stdout}" ".[0] | $1"
}

# Where a workload knows that each of its reads ($1) had its bytes from against the samples ($2), in order.
agree_on_sources() {
	gojq -rn --slurpfile samples "$2" --slurpfile reads "$1" '
		($samples | map(select(.type == "sample")) | sort_by(.id)) as $samples
		| def known: [.file, .offset_bytes, .size_bytes, .outcome, (.cache_bytes, .device_bytes, .no_io_bytes, .ahead_bytes | . // 0)];
		range([($samples | length), ($reads | length)] | max) as $i
		| ($samples[$i] // {}) as $s | ($reads[$i] // {}) as $r
		| select(($s | known) != ($r | known) or ($s.others_bytes // 0) != 0 or ($s.call != null and $s.call != $r.call))
		| "read \($r.n): wanted \($r | known) by \($r.call), got \($s | known) by \($s.call), \($s.sources) \($s.reason)"
	' >differences || wrong 'stdout is not JSON'
	[ ! -s differences ] || wrong "$(wc -l <differences) of $(wc -l <"$1") reads differ:"$'\n'"$(head -n 5 differences)"
}

# sent_agree [FILE [EVERY]]: each sample (JSON) of a send against what the workload `sends` knows of it, in order: its size, and
# that each end was where the workload was then. Their clocks are one, read twice: 5 ms apart at most.
sent_agree() {
	gojq -rn --argjson every "${2-1}" '
		[inputs] as $all
		| ($all | map(select(.type == "sample")) | sort_by(.id)) as $samples
		| ($all | map(select(.type == "sent" and .n % $every == 0)) | sort_by(.n)) as $sent
		| def near($lo; $hi): . >= $lo - 5e6 and . <= $hi + 5e6;
		range([($samples | length), ($sent | length)] | max) as $i
		| ($samples[$i] // {hops: []}) as $s | ($sent[$i] // {}) as $w
		| ($s.hops | map(select(.name == "read")) | last // {}) as $read
		| select(($s.size_bytes == $w.size_bytes and ($s.time_ns | near($w.from_ns; $w.to_ns))
			and ($w.read == false or ($read.time_ns // 0 | near($w.waits_ns; $w.read_ns)))) | not)
		| "send \($w.n): wanted \($w), got \($s.size_bytes) at \($s.time_ns), read at \($read.time_ns)"
	' "${1-stdout}" >differences || wrong "${1-stdout} is not JSON"
	[ ! -s differences ] || wrong "$(wc -l <differences) sends differ:"$'\n'"$(head -n 3 differences)"
}

# sent_account FILE N [KEY=VALUE...]: N samples, and what became of them; of what is not named, none.
sent_account() {
	local file=$1 n=$2 key pair wanted=()
	shift 2
	for key in completed=0 empty=0 unread=0 pending=0 'cut_off={}' 'failed={}' 'lost={}'; do
		for pair in "$@"; do [ "${pair%%=*}" != "${key%%=*}" ] || key=$pair; done
		wanted+=("$key")
	done
	account -f "$file" sampled="$n" "${wanted[@]}"
}

# udp_account FILE N [KEY=VALUE...]: the same of datagrams, sent or arrived.
udp_account() {
	local file=$1 n=$2 key pair wanted=()
	shift 2
	for key in completed=0 sent=0 taken=0 unread=0 'dropped={}' 'lost={}'; do
		for pair in "$@"; do [ "${pair%%=*}" != "${key%%=*}" ] || key=$pair; done
		wanted+=("$key")
	done
	account -f "$file" sampled="$n" "${wanted[@]}"
}

# recv_account FILE N [KEY=VALUE...]: the same of segments that arrived.
recv_account() {
	local file=$1 n=$2 key pair wanted=()
	shift 2
	for key in completed=0 unread=0 duplicate=0 undelivered=0 others=0 'dropped={}' 'cut_off={}' 'lost={}'; do
		for pair in "$@"; do [ "${pair%%=*}" != "${key%%=*}" ] || key=$pair; done
		wanted+=("$key")
	done
	account -f "$file" sampled="$n" "${wanted[@]}"
}

# recv_agree FILE: each segment that arrived against what the workload `sends` knows of its message, in order: its size, that it
# came when that was sent, and was read when the reader did so.
recv_agree() {
	jq -rn '
		[inputs] as $all
		| ($all | map(select(.type == "sample")) | sort_by(.id)) as $samples
		| ($all | map(select(.type == "sent")) | sort_by(.n)) as $sent
		| def near($lo; $hi): . >= $lo - 5e6 and . <= $hi + 5e6;
		range([($samples | length), ($sent | length)] | max) as $i
		| ($samples[$i] // {hops: []}) as $s | ($sent[$i] // {}) as $w
		| ($s.hops | last // {}) as $read
		| select(($s.size_bytes == $w.size_bytes and $s.comm == "server" and ($s.time_ns | near($w.from_ns; $w.to_ns))
			and $read.name == "read" and ($read.time_ns // 0 | near($w.waits_ns; $w.read_ns))) | not)
		| "segment \($w.n): wanted \($w), got \($s.size_bytes) at \($s.time_ns), \($read.name) by \($s.comm) at \($read.time_ns)"
	' "$1" >differences || wrong "$1 is not JSON"
	[ ! -s differences ] || wrong "$1: $(wc -l <differences) segments differ:"$'\n'"$(head -n 3 differences)"
}

# agree_across: what follow_across() has is all there, at the times that both ends know.
agree_across() {
	sent_account sent 23 completed=23
	sent_agree sent
	udp_account datagrams 11 completed=11
	sent_agree datagrams
	recv_account received 23 completed=23
	recv_agree received
	udp_account udp-received 11 completed=11 undelivered=0
	recv_agree udp-received
}

# hops_across FILE: of each sample's way, the layers and devices of its hops at a device, each way once
hops_across() {
	lines '.type == "sample"' "$1" 'map([.hops[] | select(.dev != null) | "\(.layer) \(.dev)"] | join(", ")) | unique'
}

# waited FILE LAYER: how often samples were in the layer, and for how long half of them
waited() {
	lines '.type == "end"' "$1" ".[0].layers[] | select(.layer == \"$2\") | [.count, .p50_ns]"
}

# What a workload knows that each of its fsyncs ($1) had to write against the samples ($2), in order. Where the device counted a
# flush, and nothing else runs there, so did strata. An emulated machine may stop a CPU until the commit is over, for which the
# thread then has no need to sleep.
agree_on_fsyncs() {
	local alone=true
	[[ -e guest || $PWD != *.here.* ]] || alone=false
	gojq -rn --argjson alone "$alone" --slurpfile samples "$2" --slurpfile fsyncs "$1" '
		($samples | map(select(.type == "sample")) | sort_by(.id)) as $samples
		| ($fsyncs | map(select(.kind != null))) as $fsyncs
		| def known: [.call, .file, .own_bytes];
		def slept: ($alone | not) or .journal_ns + .flush_ns + .ordered_ns + .other_ns > 0;
		range([($samples | length), ($fsyncs | length)] | max) as $i
		| ($samples[$i] // {}) as $s | ($fsyncs[$i] // {}) as $f
		| select(($s | known) != ($f | known) or ($f.journal == "none" and $s.journal_bytes != 0) or (($s | slept) and
			(($f.journal == "some" and $s.journal_bytes == 0) or ($f.journal != "any" and $f.ordered_bytes != $s.ordered_bytes) or ($alone and $f.flushed and $s.flushes == 0))))
		| "fsync \($f.n) (\($f.kind)): wanted \($f | known), journal \($f.journal), ordered \($f.ordered_bytes), flushed \($f.flushed), got \($s | known) \($s.outcome) \($s.reason): \($s.waits)"
	' >differences || wrong 'stdout is not JSON'
	[ ! -s differences ] || wrong "$(wc -l <differences) of $(wc -l <"$1") fsyncs differ:"$'\n'"$(head -n 5 differences)"
}

# query_agree FILE: each sample of a request against what the workload `queries` knows of it, by client and in order. Read and answer
# are where the server was then; their clocks are one, read twice: 5 ms apart at most, and before it reads its own it may lose its
# CPU. What is attributed must be true: nobody else was served (own), or somebody was (shared), and what it waited for took as long
# as the server says, of which it was on its CPU, or waiting for one, for a part. A preemptible kernel may skip a program: then a
# request is not a sample, or nothing of it is attributed. An emulated CPU may need longer to fall asleep than it is to sleep, and a
# thread that loses its CPU as it falls asleep may wait for it until the time is over.
query_agree() {
	gojq -rn --argjson skips "$([ -e preemptible ] && echo true || echo false)" --argjson emulated "$([ -e guest ] && echo true || echo false)" '
		[inputs] as $all
		| (if any($all[]; .type == "run" and (.options | index("--client"))) then "local" else "remote" end) as $end
		| ($all | map(select(.type == "sample")) | map(.end = (.[$end] | split(":") | last | ltrimstr("pid "))) | group_by(.end) | map({key: .[0].end, value: sort_by(.id)}) | from_entries) as $samples
		| def us($layer): ([.hops[] | select(.layer == $layer).since_last_ns] | add // 0) / 1000;
		def after_read: (.hops | map(.name == "read" and .layer == "socket queue") | rindex(true) // 0) as $read | {hops: .hops[$read:]};
		def hop($layers; $name): [.hops[] | select(.name == $name and ([.layer] - $layers == []))][0] // {};
		$all | map(select(.type == "served")) | group_by(.client)[]
		| select(($skips and length != ($samples[.[0].client | tostring] | length)) | not) | sort_by(.n) | to_entries[]
		| .value as $w | ($samples[$w.client | tostring][.key] // {hops: []}) as $s
		| select(($skips and $s.grade == "times") | not)
		| ($s | hop(["socket queue"]; "read")) as $read
		| ($s | hop(["cpu", "shared", "server"]; "answer")) as $answer
		| ($s | if $w.kind == "cpu" then us("cpu") else us($w.kind) + us("cpu") end + (after_read | us("run queue"))) as $spent
		| ($w.took_ns / 1000) as $took
		| [
			if $read.time_ns > $w.read_ns + 5e6 or $read.time_ns < $w.read_ns - 1e8 then "read" else empty end,
			if $answer.time_ns > $w.sent_ns + 5e6 or $answer.time_ns < $w.read_ns + $w.took_ns - 5e6 then "answer" else empty end,
			if $s.tid != $w.reader or $answer.tid != $w.by then "thread" else empty end,
			if $s.grade == "own" and $w.others != 0 then "not its own" else empty end,
			if $s.grade == "shared" and $w.others == 0 and $w.reader == $w.by then "not shared" else empty end,
			if $s.grade == "own" and $spent < $took - 50 then "\($w.kind): \($took) us, told are \($spent)" else empty end,
			if $s.grade == "own" and $w.kind != "cpu" and ($s | us($w.kind)) > $took + 50 then "\($w.kind) too long" else empty end,
			if $s.grade == "own" and $w.kind == "sleep" and ($s | us("sleep")) == 0 and ($s | us("run queue")) < $took / 2 and ($emulated | not) then "no sleep" else empty end,
			if $s.grade == "own" and $w.kind == "lock" and ([$s.hops[].released_by_tid] | index($w.holder) | not) and ($skips | not) then "releaser" else empty end
		] | select(. != []) | "request \($w.n) of \($w.client): \(join(", "))"
	' "$1" >differences || wrong "$1 is not JSON"
	[ ! -s differences ] || wrong "$1: $(wc -l <differences) requests differ:"$'\n'"$(head -n 5 differences)"
}

# query_account FILE N: N requests of servers that have one client each are their own, but for a few whose wait a host did not tell.
query_account() {
	local fewer=0
	[ ! -e preemptible ] || fewer=$(summary "[.lost.\"$SKIPPED\", .lost.\"$QUERY_SKIPPED\"] | add // 0" "$1")
	same "$1: requests" true "$(summary ".account | .sampled <= $2 and .sampled + $fewer >= $2 and .own + .times == .sampled and .times * 16 <= $2 + 16 * $fewer" "$1")"
}

# query_client_agree FILE [server]: each sample of a request against what its client knows, by connection and in order: it sent it between its
# two readings of the clock, of which the first may be a while before, and had the answer before the second. From the server's side the
# first one of a connection begins with its arrival, as nothing was known of that when it was sent.
query_client_agree() {
	gojq -rn --argjson skips "$([ -e preemptible ] && echo true || echo false)" --argjson late "$([ -e guest ] && echo 1e8 || echo 3e7)" --arg side "${2-client}" '
		[inputs] as $all
		| (if any($all[]; .type == "run" and (.options | index("--client"))) then "local" else "remote" end) as $end
		| ($all | map(select(.type == "sample")) | map(.end = (.[$end] | split(":") | last | ltrimstr("pid "))) | group_by(.end) | map({key: .[0].end, value: sort_by(.id)}) | from_entries) as $samples
		| $all | map(select(.type == "request")) | group_by(.client)[]
		| select(($skips and length != ($samples[.[0].client | tostring] | length)) | not) | sort_by(.n) | to_entries[]
		| .value as $w | ($samples[$w.client | tostring][.key] // {hops: [{}]}) as $s | ($s.time_ns + $s.seen_ns) as $end_ns
		| [
			if $s.hops[0].name == "send" or ($side == "server" and $w.n == 1 and $s.hops[0].name == "arrive") then empty else "not sent" end,
			if $s.time_ns < $w.sent_ns - 1e6 or $s.time_ns > $w.sent_ns + $late then "sent" else empty end,
			if $end_ns > $w.answered_ns + 1e6 or $end_ns < $w.answered_ns - $late then "answered" else empty end,
			if $s.client_tid != $w.by or ($s.hops[0] | .name == "send" and .tid != $w.by) then "thread" else empty end,
			if [$s.request_bytes, $s.answer_bytes] == [64, 100] then empty else "bytes" end,
			if ([$s.hops[] | select(.behind | not).since_last_ns] | add) == $s.seen_ns then empty else "sum" end
		] | select(. != []) | "request \($w.n) of \($w.client): \(join(", "))"
	' "$1" >differences || wrong "$1 is not JSON"
	grep -q '"type":"request"' "$1" || wrong "$1: no client says what it has sent"
	[ ! -s differences ] || wrong "$1: $(wc -l <differences) requests differ from what their clients know:"$'\n'"$(head -n 5 differences)"
}
