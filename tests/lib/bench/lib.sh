# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# What scripts/bench and its parts share; they source it from the repository's root.

BIN=build/bench/bin
SOURCES=tests/lib/bench
PATH=$PATH:/usr/sbin:/sbin

say() { echo "bench: $*" >&2; }

# The rows of part peers: a tool's own are in its room; those of peers that strata has no tool for, in peers/.
bench_files() { # NAME | *
  compgen -G "tests/*/$1.bench" || true
  compgen -G "$SOURCES/peers/$1.bench" || true
}

# A part that cannot run says why, and ends with a status of its own: an older section of it stays.
SKIPPED=77
skip() { # TITLE REASON
  say "skipped: $2"
  printf '## %s\n\nskipped: %s\n' "$1" "$2"
  exit $SKIPPED
}

need_root() { # TITLE
  [ "$(id -u)" = 0 ] || skip "$1" 'tracing needs root (try: sudo make bench)'
}

need_vm() { # TITLE
  command -v qemu-system-x86_64 >/dev/null || skip "$1" 'QEMU is not installed (try: apt-get install qemu-system-x86)'
  scripts/kernels "$BENCH_KERNEL" >/dev/null 2>"$BENCH_OUT/kernels.log" ||
    skip "$1" "no kernel $BENCH_KERNEL ($(tail -n 1 "$BENCH_OUT/kernels.log"))"
}

# Is there no file TARGET, or is a SOURCE newer?
older() { # TARGET SOURCE...
  local target=$1 source
  shift
  for source in "$@"; do
    [ "$target" -nt "$source" ] || return 0
  done
  return 1
}

# Builds build/bench/bin/TARGET from files of this directory. Options of the compiler stand behind --; driver says which one
# links C++.
compile() { # TARGET SOURCE... [-- OPTION...]
  local target=$BIN/$1 sources=() options=(-static) libraries
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do sources+=("$SOURCES/$1") && shift; done
  [ $# = 0 ] || { shift && options=("$@"); }
  older "$target" "${sources[@]}" $SOURCES/*.h || return 0
  mkdir -p $BIN
  read -ra libraries <<<"$(pkg-config --static --libs libbpf libelf zlib)"
  case ${sources[0]} in
    *.bpf.c) clang -g -O2 -target bpf -mcpu=v2 -Wall -Werror "-I/usr/include/$(uname -m)-linux-gnu" -c "${sources[@]}" -o "$target.$$" ;;
    *.c) gcc -O2 -Wall -Wextra -Werror "${options[@]}" -s "${sources[@]}" -o "$target.$$" "${libraries[@]}" ;;
    *) "${driver:-g++}" -std=c++20 -O2 -Wall -Wextra -Werror "${options[@]}" -s "${sources[@]}" -o "$target.$$" "${libraries[@]}" ;;
  esac
  mv "$target.$$" "$target" # an older one may run
}

# A program of one file, NAME.c or NAME.cpp.
bench_program() { # NAME
  compile "$1" "$(basename "$(echo $SOURCES/"$1".c*)")"
}

# The workloads: static, to run in every guest and to be what the exec workload executes (hence without the C++
# library, which gcc leaves out and whose start alone takes as long as an exec); dynamic, so that probes on the C library see them, and names are resolved.
bench_operations() {
  local options=(-fno-exceptions -fno-rtti -fno-threadsafe-statics) driver=gcc
  compile ops ops.cpp ops_file.cpp ops_task.cpp ops_net.cpp -- -static "${options[@]}"
  compile ops-dynamic ops.cpp ops_file.cpp ops_task.cpp ops_net.cpp ops_name.cpp -- -Wl,--as-needed "${options[@]}"
}

# Boots a guest with the files of build/bench/bin in /bench, and more. QEMU counts each iteration of a string instruction, and a
# kernel that sees "erms" (297) or "fsrm" (580) copies byte by byte: 4,096 instructions a page, for what takes a processor a
# hundred cycles. Without them it is 512.
bench_guest() { # TIMEOUT OPTION-OF-VM... -- COMMAND...
  local timeout=$1 file adds=()
  shift
  for file in "$BIN"/*; do adds+=(--add "$file:/bench/$(basename "$file")"); done
  scripts/vm "$BENCH_KERNEL" --icount --timeout "$timeout" --append clearcpuid=297,580 "${adds[@]}" "$@"
}
