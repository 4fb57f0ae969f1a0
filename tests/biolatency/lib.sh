# What the tests of biolatency and bioheat have in common.

# In words: N reads, or writes, of 4 KiB that become a request each.
reads() {
	echo "dd if=$DISK of=/dev/null bs=4096 count=$1 iflag=direct status=none"
}
writes() {
	echo "dd if=/dev/zero of=$DISK bs=4096 count=$1 oflag=direct conv=notrunc status=none"
}

# latency FILE OPTION... -- COMMAND: of this test's disk, into $OUT/FILE
latency() {
	file=$1
	shift
	"$STRATA" biolatency --json $SCOPE --disk "$DISK" "$@" >"$OUT/$file"
}
