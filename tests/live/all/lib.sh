# What the tests of all tools have in common. TOOL/all.sh says what a tool needs: `often`, options with which it prints soon
# and often; `mistakes`, wrong values of its own options; `work`, a command of events, if this one has none for it; `with`,
# a format that is to be had with an option only.
often=
mistakes=
with=
work="for i in \$(seq 53); do dd if=/dev/zero of=\$DIR/file bs=4k count=7 oflag=direct conv=fsync 2>/dev/null; cat \$DIR/file; done >/dev/null"
# shellcheck source=/dev/null
. "$here/$TOOL/all.sh"
