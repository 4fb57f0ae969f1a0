# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a test's run() may use. POSIX sh: also dash and busybox in a guest. Set by tests/lib/live/one:
#   STRATA WORKLOADS   the programs        DIR   an empty directory on the file system under test
#   OUT                a directory for files that check() reads
#   SCOPE              -a in a guest, where nothing else runs and the whole machine is watched; else empty
# stdout and stderr of run() are pipes, so what a command says there is no followable write.

# What the host `raw` is without.
RAW_DENIES=tp_btf,fentry,kprobe,tracepoint,iterator

# The loss of programs that a preemptible kernel skipped.
SKIPPED='program skipped, already running on its CPU'

# The losses of completions and switches on which a busy host did not run a program (src/follow/README.md), as a pattern. A guest has no other work.
UNSEEN='completion not seen|completions that no hook saw|the program was not run for'

# For the sh of a command that is traced: in_group DIRECTORY COMMAND... runs it in a new cgroup, which is removed then, as a unit's is.
# shellcheck disable=SC2016,SC2034 # its own variables; tests use it
IN_GROUP='in_group() {
	mkdir "$1" || exit 1
	sh -c '\''echo 0 >"$0/cgroup.procs"; exec "$@"'\'' "$@"
	while ! rmdir "$1" 2>/dev/null; do sleep 0.01; done
}'

# Exports what tests ask of the host, which needs programs, for all of them: MACHINE, PAGE_SIZE; PREEMPTIBLE, and NO_CALL32 of
# workloads/call32.h, if they are so.
know_host() {
	export MACHINE PAGE_SIZE
	MACHINE=$(uname -m)
	PAGE_SIZE=$(awk '$1 == "KernelPageSize:" { print $2 * 1024; exit }' /proc/self/smaps)
	# Where that cannot be chosen (arm64), the kernel's version says it.
	if [ -e /sys/kernel/debug/sched/preempt ]; then
		! grep -qE '\((full|lazy)\)' /sys/kernel/debug/sched/preempt || export PREEMPTIBLE=yes
	elif uname -v | grep -qE ' PREEMPT(_RT)? '; then
		export PREEMPTIBLE=yes
	fi
	{ "$WORKLOADS/calls" 32 || export NO_CALL32=yes; } >/dev/null 2>&1 # bash would say that it was killed
}

# Is it a run of scripts/matrix --quick, where an emulated CPU needs seconds for each start of strata? Also for check().
is_quick() {
	[ -e "${OUT-.}/quick" ]
}

# Did it run on x86-64, how many bytes has a page there, and what does its kernel call the function of a system call? Also for check().
is_x86() {
	[ "$(cat "${OUT-.}/machine")" = x86_64 ]
}
page_size() {
	cat "${OUT-.}/page_size"
}
sys_function() { # NAME
	is_x86 && echo "__x64_sys_$1" || echo "__arm64_sys_$1"
}

# note KEY VALUE: a JSON line of the test's own, for check(). VALUE is JSON.
note() {
	echo "{\"type\":\"note\",\"$1\":$2}"
}

# status COMMAND...: runs it and notes its exit status.
status() {
	"$@"
	note status $?
}

# after MS SIGNAL COMMAND...: runs COMMAND, sends it SIGNAL after MS milliseconds, gives its exit status.
after() {
	"$WORKLOADS/after" "$@"
}

# wait_until COMMAND...: until it succeeds, half a minute at most.
wait_until() {
	for _ in $(seq 300); do
		! "$@" || return 0
		sleep 0.1
	done
	echo "gave up waiting for: $*" >&2
}

skip() {
	echo "$*" >"$OUT/skip"
	exit 0
}

need() {
	for program in "$@"; do
		command -v "$program" >/dev/null || skip "$program is not installed"
	done
}

# Sets DIR to an empty directory: find_place here|ext4|xfs|btrfs
find_place() {
	place=$(eval "echo \"\${PLACE_$1-}\"")
	if [ -n "$place" ]; then
		DIR=$place/${OUT##*/}
	elif [ "$1" = here ]; then
		DIR=$SCRATCH/d
	else
		mount_loop "$1"
		DIR=$SCRATCH/mnt/d
	fi
	mkdir "$DIR"
}

# A file system of its own on a loop device; ext4, xfs or btrfs at $SCRATCH/mnt.
mount_loop() {
	need "mkfs.$1"
	grep -qw "$1" /proc/filesystems || modprobe "$1" 2>/dev/null
	grep -qw "$1" /proc/filesystems || skip "this kernel has no $1"
	truncate -s 512M "$SCRATCH/image"
	"mkfs.$1" -q "$SCRATCH/image" >/dev/null 2>&1 || skip "mkfs.$1 failed"
	mkdir -p "$SCRATCH/mnt"
	mount -o loop "$SCRATCH/image" "$SCRATCH/mnt" || skip "cannot mount a loop device"
}

# A full disk sooner or later: SIZE of memory at $DIR/small.
mount_small() {
	mkdir "$DIR/small"
	mount -t tmpfs -o "size=$1" none "$DIR/small"
}

# For `strata ... -- sh -c`: COMMAND while strata, its parent, is stopped, so that nobody reads the ring buffer.
unread() { # COMMAND
	echo "kill -STOP \$PPID; $1; kill -CONT \$PPID"
}

# A run whose memory is limited, once the command runs, to what strata has then and KIB more, and a replay of it. Leaves NAME, NAME.said,
# NAME.status, NAME.ended (a line if the workload came to its end), NAME.again.
limited() { # NAME KIB TOOL OPTION... -- WORKLOAD...
	name=$1 kib=$2
	shift 2
	tool=
	while [ "$1" != -- ]; do tool="$tool $1" && shift; done
	shift
	# shellcheck disable=SC2086,SC2016 # words; for the other shell
	"$STRATA" $tool -o "json:$OUT/$name" -o "record:$OUT/$name.record" -- sh -c '
		size=$(sed -n "s/^VmSize:[^0-9]*\([0-9]*\) kB/\1/p" /proc/$PPID/status)
		prlimit --pid $PPID --as=$(((size + '"$kib"') * 1024)); "$@"; echo >>"$0"' "$OUT/$name.ended" "$@" 2>"$OUT/$name.said"
	echo "$?" >"$OUT/$name.status"
	"$STRATA" replay "$OUT/$name.record" -o json >"$OUT/$name.again" 2>"$OUT/$name.replay"
}

# Sets DISK to a block device of this test's own, which nobody else uses: make_disk [MIB]
make_disk() {
	truncate -s "${1-8}M" "$DIR/image"
	DISK=
	# The free one may be another test's by then.
	for _ in $(seq 50); do
		free=$(losetup -f) && losetup "$free" "$DIR/image" 2>/dev/null && DISK=$free && break
	done
	[ -n "$DISK" ] || { echo 'no loop device is to be had' >&2 && exit 1; }
	trap 'losetup -d "$DISK"' EXIT
	# On a busy host neighbours that wait would become one request.
	echo 2 >"/sys/block/${DISK#/dev/}/queue/nomerges"
}

# In words: N reads, or writes, of 4 KiB of DISK that become a request each.
reads() {
	echo "dd if=$DISK of=/dev/null bs=4096 count=$1 iflag=direct status=none"
}
writes() {
	echo "dd if=/dev/zero of=$DISK bs=4096 count=$1 oflag=direct conv=notrunc status=none"
}

# Sets DISK to a disk of this test's own, a real one in a guest, and PART to a partition from its sector 2048 on, for as long
# as run() runs.
make_partition() {
	if [ -n "$SCOPE" ]; then DISK=$(readlink -f /dev/spare/nvme); else make_disk; fi
	addpart "$DISK" 1 2048 2048 || skip "cannot make a partition of $DISK"
	PART=${DISK}p1
	trap 'delpart "$DISK" 1; [ -n "$SCOPE" ] || losetup -d "$DISK"' EXIT
	[ -e "$PART" ] || skip "no device file of a partition appears"
}

# Unmounts all below SCRATCH and DIR, the last first, and deletes them.
clean_up() {
	cd /
	[ -z "${NETWORK-}" ] || remove_network
	mounted=
	while read -r _ at _; do
		case $at in "$SCRATCH"/* | "$DIR"/*) mounted="$at $mounted" ;; esac
	done </proc/mounts
	for at in $mounted; do umount "$at" || umount -l "$at"; done
	rm -rf "$SCRATCH" "$DIR"
}

# Is this test asked for, by TOOL, NAME or TOOL/NAME? All are if nothing is named.
wanted() { # TOOL NAME [WANTED...]
	tool=$1 name=$2
	shift 2
	[ $# != 0 ] || return 0
	for one in "$@"; do
		case $one in "$tool" | "$name" | "$tool/$name") return 0 ;; esac
	done
	return 1
}

# Lines "PLACE HOST RESULTS FILE [alone | last]" of all that is to run: where, as which kind of host, what the results are called.
plan() { # DIRECTORY [WANTED...]
	directory=$1
	shift
	for file in "$directory"/*/*.test; do
		tool=${file%/*}
		plan_one "${tool##*/}" "$file" "$@"
		TURN=${TURN:+$((3 - TURN))}
	done
}

# The same of the tests that every tool with an all.sh has. No kernel makes a difference to them: they run on the host alone. With SHORT
# set, those with `library=yes`, which try what is the same code for all tools, with every third tool, each with other ones; and of two
# hosts one, by turns.
plan_all() { # DIRECTORY [WANTED...]
	directory=$1
	shift
	tools=0
	library=$(grep -l '^library=yes' "$directory"/lib/all/*.test)
	for own in "$directory"/*/all.sh; do
		own=${own%/all.sh}
		tools=$((tools + 1))
		third=$tools
		TURN=${SHORT:+$((tools % 2 + 1))}
		for file in "$directory"/lib/all/*.test; do
			case ${SHORT:+$library} in
			*"$file"*)
				third=$((third + 1))
				[ $((third % 3)) = 0 ] || continue
				;;
			esac
			plan_one "${own##*/}" "$file" "$@"
		done
	done
}

# All of them; with QUICK or SHORT set, the first.
places() {
	[ -n "${QUICK-}${SHORT-}" ] && echo "$1" || echo "$@"
}

# Of two hosts, with TURN set, the first or the second: half of the tests run as one, half as the other.
hosts() {
	[ -n "${TURN-}" ] && [ $# = 2 ] && eval "echo \"\${$TURN}\"" || echo "$@"
}

plan_one() { # TOOL FILE [WANTED...]
	tool=$1 file=$2
	name=${file##*/}
	name=${name%.test}
	shift 2
	wanted "$tool" "$name" "$@" || return 0
	# With SHORT set, without the long ones; in a guest, without those that need more than it has;
	# here, without those that spoil the kernel.
	# shellcheck source=/dev/null
	(. "$file" && [ -z "${SHORT:+${long-}}${SCOPE:+${native-}}" ] && { [ -n "${SCOPE-}" ] || [ -z "${spoils-}" ]; } &&
		for place in $(places ${file_systems-here}); do
			for host in $(hosts ${hosts-full}); do echo "$place $host $tool.$name.$place.$host $file${alone:+ alone}${spoils:+ last}"; done
		done)
}
