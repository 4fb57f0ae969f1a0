# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the tests of all tools have in common. TOOL/all.sh says what a tool needs: `operands`, without which it does not run; `often`, options with which it prints soon
# and often; `by_process`, instead of them, with which rows have a PID; `with_stack`, with which events may have a stack; `mistakes`, wrong values of its own options; `work`, a command of events, if this one has none for it; `with`,
# formats that are to be had with an option only; `memory`, the most that it may need, in KiB; `kept`, a set of capabilities
# that it keeps.
operands=
often=
by_process=
with_stack=
mistakes=
with=
memory=7680 # what the kernel maps around a used page of the program differs by some hundred KiB from host to host
kept=0
work="for i in \$(seq 17); do dd if=/dev/zero of=\$DIR/file bs=4k count=7 oflag=direct conv=fsync 2>/dev/null; cat \$DIR/file; done >/dev/null"
# Of the options of src/run/sock.h, and of src/run/packet.h, for `mistakes`.
# shellcheck disable=SC2034 # for TOOL/all.sh
sock_mistakes="
2 --local-port 0
2 --local-port 65536
2 --local-port http
2 --local-port 1,
2 --local-port 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33 at most 32
2 --remote-port 0
2 --remote-port 65536
2 --remote-port -1
2 --remote EMPTY
2 --remote localhost not 'localhost'
2 --remote 10.0.0.0/33
2 --remote fe80::/129
2 --uid nosuchuser a user of /etc/passwd or a number
2 --uid -1
2 --uid 4294967296
"
# shellcheck disable=SC2034
packet_mistakes="
1 --dev nosuch0 no network device nosuch0
1 --dev a-name-that-is-much-too-long
1 --netns nosuch no network namespace nosuch
1 --netns GONE no such process
1 --netns DIR
2 --netns EMPTY
2 --protocol moon not 'moon'
2 --protocol 256
2 --protocol 0x10000
2 --protocol tcp,
2 --protocol EMPTY
2 --protocol 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17 at most 16
2 --port 0
2 --port 65536
2 --port http
2 --port 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33 at most 32
2 --address EMPTY
2 --address localhost not 'localhost'
2 --address 10.0.0.0/33
2 --address fe80::/129
"
# shellcheck source=/dev/null
. "${here%/lib/live}/$TOOL/all.sh"
