# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
often='--min-latency 0'
mistakes="
2 --min-latency 10 with its unit, such as 50us or 10ms, or 0; at most 1h, not '10'
2 --min 2h
2 --min -5ms
2 --min 10msx
2 --type ext9 ext4, xfs, btrfs, f2fs, nfs, fuse, bcachefs, zfs, overlay, not 'ext9'
1 --type bcachefs no file system here is of type bcachefs
2 --op readdir
2 --file none
2 --via magic
"
