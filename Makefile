# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# strata: one binary with all tools, and each tool alone, from the same objects. Everything is built under build/.
# No list is edited when a tool is added: tools/X/ is a tool, bpf/X/ its programs, src/ the library.
#
#   make            build/bin/strata                  make test      unit, golden and live tests (live: as root)
#   make tools      build/bin/NAME for each tool      make check     style, arrows, types, hardening, same bytes
#   make sanitize   tests with sanitizers             make fuzz      random input for each parser
#   make demo       the main job on this machine      make bench     what tracing costs
#   make matrix     live tests on five kernels        make install   PREFIX, DESTDIR; runs nothing that was built
#   make pages      manual pages and completion       make format    formats the C++
#   make compile_commands.json                        for clangd and other editors
#   make tidy       FILES; clang-tidy                 make help      these lines
#   CROSS=aarch64-linux-gnu SYSROOT=DIR               for arm64, in build/aarch64-linux-gnu (tests/README.md)
#   make dist       sources, checksums, SBOM          make deb, rpm  packages; make packages: both, tested
#   STATIC=         links with the host's libraries   WERROR=        lets warnings pass
#   PRECOMPILED=    each file reads the standard library itself
#   STRIP=          keeps the symbols                 V=1            show the commands

VERSION := 0.1.0
PREFIX ?= /usr/local
# CROSS=aarch64-linux-gnu: for another machine, in a directory of its own. Its libraries are those of this machine's packages for
# it, or of a tree that SYSROOT names (scripts/debian-tree arm64).
CROSS ?=
SYSROOT ?=
ifneq ($(CROSS),)
CC := $(CROSS)-gcc
CXX := $(CROSS)-g++
OBJCOPY := $(CROSS)-objcopy
endif
# Debug symbols do not say where SYSROOT was.
sysroot_headers := $(if $(SYSROOT),-isystem $(SYSROOT)/usr/include/$(CROSS) -ffile-prefix-map=$(SYSROOT)=)
pkg_config := $(if $(CROSS),PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(CROSS)/pkgconfig PKG_CONFIG_SYSROOT_DIR=$(SYSROOT)) pkg-config
CXX ?= g++
PATH := $(PATH):/usr/sbin:/sbin
find_tool = $(firstword $(foreach name,$(1),$(shell PATH='$(PATH)' command -v $(name))) $(firstword $(1)))
CLANG ?= $(call find_tool,clang $(foreach n,22 21 20 19 18 17 16 15 14,clang-$(n)))
LLVM_STRIP ?= $(call find_tool,llvm-strip $(foreach n,22 21 20 19 18 17 16 15 14,llvm-strip-$(n)))
BPFTOOL ?= $(call find_tool,bpftool)
CLANG := $(CLANG)
LLVM_STRIP := $(LLVM_STRIP)
BPFTOOL := $(BPFTOOL)

B := build$(CROSS:%=/%)
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' '$(1)' '$(patsubst $(B)/%,%,$@)')
MAKEFLAGS += --no-builtin-rules

tools := $(sort $(patsubst tools/%/,%,$(wildcard tools/*/)))
programs := $(sort $(basename $(basename $(notdir $(wildcard bpf/*/*.bpf.c)))))
# Once more, with the stacks of their events (bpf/lib/user/event_stack.h): of the tools that name the result.
with_stacks := $(sort $(patsubst %_bpf__elf_bytes,%,$(shell grep -ohE '\w+_stacks_bpf__elf_bytes' tools/*/*.cpp)))
sources := $(sort $(filter-out %_test.cpp,$(wildcard src/*/*.cpp src/*/*/*.cpp)))
tests := $(sort $(wildcard src/*/*_test.cpp src/*/*/*_test.cpp))
skeletons := $(programs:%=$(B)/bpf/%.skel.h)
manuals := $(tools:%=$(B)/gen/%.manual.h) $(B)/gen/skill.manual.h $(B)/gen/sql.manual.h
objects_of = $(patsubst %.cpp,$(B)/obj/%.o,$(sort $(wildcard tools/$(1)/*.cpp)))
tool_objects := $(foreach t,$(tools),$(call objects_of,$(t)))
# Fast where rows are made and where each start reads megabytes (btf/file), small elsewhere. Not in tools/: templates that
# several objects have are the first's, a tool's.
small := $(addprefix src/,bpf/% cli/% follow/% sym/% unwind/% \
	$(patsubst %,render/%,flame% heatmap% openmetrics% otlp% pcapng% perfetto% timeline% pprof% sql%) \
	$(patsubst %,run/%.cpp,cgroup_choice command description descendants dispatch schema session session_processes view_options) \
	$(patsubst %,btf/%.cpp,drop_reasons kernel_types sound subset) \
	$(patsubst %,kern/%.cpp,cgroup container_names disk names_in file_system find_disk irq socket_owners tracefs) \
	$(patsubst %,subsys/%.cpp,code_file code_place compared_stacks library_probes probes process_filter stacks user_functions))
# The probe language, gates, exporters and completion at the end, as the kernel maps what lies around what runs, and few runs need them.
seldom := src/expr/% src/gate/% src/export/% src/subsys/script% src/run/completion%
# With sanitizers half of the compiler's time is the optimiser's: only for what has to go through much text or many bytes.
cold := $(if $(SANITIZE),tools/% $(patsubst %,src/%/%,bpf cli follow gate kern run subsys))
cold_objects := $(patsubst %.cpp,$(B)/obj/%.o,$(filter $(cold),$(sources) $(wildcard tools/*/*.cpp)))
small_objects := $(patsubst %.cpp,$(B)/obj/%.o,$(filter $(small),$(sources)) $(filter $(seldom),$(sources)))
fast_objects := $(filter-out $(small_objects),$(sources:%.cpp=$(B)/obj/%.o))
test_objects := $(tests:%.cpp=$(B)/obj/%.o)

CXXFLAGS ?= -O2
STRIP ?= -s
STATIC ?= yes
WERROR ?= -Werror
PRECOMPILED ?= yes
# Designated initialisers leave out what has a default. g++ 12 takes a moved variant for uninitialised (bug 105562), and what it
# inlines from precompiled headers for ours, of which it warns then (bug 105651).
warnings := -Wall -Wextra $(WERROR) -Wdate-time -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual \
	-Wno-missing-field-initializers -Wno-maybe-uninitialized $(if $(PRECOMPILED),-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
# g++'s location lists depend on when its garbage collector runs, and so on the length of the directory's name: it never runs, for the
# same debug symbols in any directory. They depend on it besides where headers are precompiled, so that packages have none.
keep_garbage := $(if $(PRECOMPILED)$(findstring clang,$(CXX)),,--param=ggc-min-heapsize=4000000)
cxx_flags := -std=c++20 $(warnings) -ffile-prefix-map=$(CURDIR)=. $(keep_garbage) -ffunction-sections -fdata-sections \
	-iquote src -iquote bpf -iquote $(B)/bpf -iquote $(B)/gen -DSTRATA_VERSION='"$(VERSION)"' $(sysroot_headers) $(SANITIZE)
# Canaries, checked copies (which need an optimiser, and are not ASan's), and code that runs at any address.
hardening = -fPIE -fstack-protector-strong -U_FORTIFY_SOURCE $(if $(filter-out -O0,$(CXXFLAGS)),-D_FORTIFY_SOURCE=3)
compile = $(CXX) $(cxx_flags) $(if $(SANITIZE),,$(hardening)) $(CXXFLAGS)
# Of libdw without what its libdwfl wants (bzip2), which nothing calls.
libraries := $(if $(CROSS),-L$(SYSROOT)/usr/lib/$(CROSS)) -ldw $(shell $(pkg_config) $(if $(STATIC),--static) --libs libbpf libelf zlib liblzma libevent_extra libevent_core 2>/dev/null)
comma := ,
# The architecture that CXX builds for, as the kernel, libbpf's headers and Debian's include paths name it.
machine := $(firstword $(subst -, ,$(shell $(CXX) -dumpmachine)))
bpf_arch := $(patsubst aarch64,arm64,$(patsubst x86_64,x86,$(machine)))
# libelf.a comes after our archive and may need src/bpf/libelf_static.cpp of it.
# pack-relative-relocs: 3 KB of relocations instead of 213, where the linker can.
program_link := $(if $(STATIC),-static-pie -Wl$(comma)--undefined=eu_tsearch -Wl$(comma)--undefined=getaddrinfo,-pie -Wl$(comma)--as-needed) -Wl,--gc-sections \
	-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack $(if $(filter x86_64,$(machine)),-Wl$(comma)-z$(comma)pack-relative-relocs)
# SANITIZE: flags for the compiler's sanitizers, which want dynamic libraries and the symbols.
link_flags := $(if $(SANITIZE),$(SANITIZE),$(program_link)) $(LDFLAGS)

# BTF names source files. The names are relative to this directory, so that the bytes are the same wherever it is.
bpf_flags := -g -fdebug-compilation-dir=. -O2 -target bpf -mcpu=v2 -D__TARGET_ARCH_$(bpf_arch) \
	-Wall -Wextra $(WERROR) -Wno-unused-parameter -Wno-sign-compare -Wno-unknown-attributes \
	-Ivmlinux -Ibpf -I/usr/include/$(machine)-linux-gnu $(if $(CROSS),-I/usr/$(CROSS)/include)
# Without DWARF; what refers to BTF from elsewhere, for linkers, which libbpf skips; and the names that clang before 16
# gives to basic blocks.
bpf_strip := -g --remove-section=.rel.BTF --remove-section=.rel.BTF.ext --remove-section=.llvm_addrsig -w -N 'LBB*'

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PRECIOUS: $(B)/bpf/%.bpf.o $(B)/bpf/%.bpf.o.gz $(B)/gen/one/%.cpp
.PHONY: FORCE all programs help tools pages test test-programs unit workloads check compile_commands.json format tidy sanitize fuzz demo bench matrix install \
	dist deb rpm packages clean

# The head of this file.
help:
	@sed -n '/^#   /s/^# //p;/^$$/q' Makefile

all: $(B)/bin/strata pages
programs: $(skeletons) $(patsubst %,$(B)/bpf/%.bpf.o.gz,$(programs) $(with_stacks))
tools: $(tools:%=$(B)/bin/%)

# --- BPF programs: compiled with BTF, stripped, embedded once each and compressed; skeletons are made of them

# A room may have several: one for each procedure of follow.
$(foreach f,$(wildcard bpf/*/*.bpf.c),$(eval $(B)/bpf/$(basename $(basename $(notdir $(f)))).bpf.o: $(f)))
$(foreach p,$(with_stacks:_stacks=),$(eval $(B)/bpf/$(p)_stacks.bpf.o: bpf/$(p)/$(p).bpf.c) \
	$(eval $(B)/bpf/$(p).skel.h: $(B)/bpf/$(p)_stacks.bpf.o))

$(with_stacks:%=$(B)/bpf/%.bpf.o): bpf_flags += -include bpf/lib/user/event_stack.h
$(patsubst %,$(B)/bpf/%.bpf.o,$(programs) $(with_stacks)):
	$(call say,BPF)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(bpf_flags) -MMD -MP -MT $@ -MF $(@:.o=.d) -c $< -o $@
	$(Q)$(LLVM_STRIP) $(bpf_strip) $@

# bpftool's skeleton; but the object's bytes, which it has in a function of its own, are those that the binary holds, and
# in C++ only g++ knows _Bool.
elf_bytes = 'extern const unsigned char $(1)_bpf_gz[], $(1)_bpf_gz_end[];' \
	'static inline const void *$(1)_bpf__elf_bytes(size_t *size) {' \
	'	return strata::inflate_object({$(1)_bpf_gz, $(1)_bpf_gz_end}, size);' '}'

$(B)/bpf/%.skel.h: $(B)/bpf/%.bpf.o
	$(call say,SKELETON)
	$(Q)printf '%s\n' '#pragma once' '#include "bpf/embedded.h"' $(call elf_bytes,$*) \
		$(foreach p,$(filter $*_stacks,$(with_stacks)),$(call elf_bytes,$(p))) > $@
	$(Q)$(BPFTOOL) gen skeleton $< name $*_bpf > $@.whole
	$(Q)sed '/elf_bytes(size_t \*sz)$$/,/^}/d; s/\b_Bool\b/bool/' $@.whole >> $@
	$(Q)rm $@.whole

$(B)/bpf/%.bpf.o.gz: $(B)/bpf/%.bpf.o
	$(Q)gzip -9n < $< > $@

# A file as data between two symbols.
incbin = '.section .rodata.$(symbol),"a"' '.globl $(symbol), $(symbol)_end' '$(symbol): .incbin "$<"' \
	'$(symbol)_end:' '.section .note.GNU-stack,"",%progbits'

$(B)/obj/bpf/%.o: symbol = $*_bpf_gz
$(B)/obj/bpf/%.o: $(B)/bpf/%.bpf.o.gz
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' $(incbin) | $(CXX) -c -x assembler - -o $@

# --- C++

# Rewritten only when they change: objects of other flags are out of date.
# Without the directories, which are others for a copy and without a SYSROOT: this one's first, as a copy's may lie in ours of objects.
$(B)/gen/flags: export FLAGS := $(subst $(B)/,,$(subst $(CURDIR),.,$(filter-out -Werror $(sysroot_headers),$(cxx_flags)) $(hardening) $(CXXFLAGS) $(small) $(seldom)$(cold)))
$(B)/gen/flags: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s' "$$FLAGS" | cmp -s - $@ || printf '%s' "$$FLAGS" > $@

$(B)/obj/%.o: %.cpp $(B)/gen/flags
	$(call say,CXX)
	$(Q)mkdir -p $(@D)
	$(Q)$(compile) $(precompiled) -MMD -MP -c $< -o $@

$(test_objects): CXXFLAGS := -O0
$(small_objects): override CXXFLAGS := $(CXXFLAGS:-O2=-Os)
$(cold_objects): override CXXFLAGS := -O0
$(tool_objects): | $(skeletons) $(manuals)

# A header that objects of the same flags include first, compiled once for them.
define precompile # NAME, HEADER, OBJECTS
$(3): precompiled := -include $(B)/gen/precompiled/$(1).h
$(3): $(B)/gen/precompiled/$(1).h.gch
$(B)/gen/precompiled/$(1).h.gch: $(2) $(B)/gen/flags
	$$(call say,CXX)
	$(Q)mkdir -p $$(@D)
	$(Q)echo '#include "$(2:src/%=%)"' > $$(@:.gch=)
	$(Q)$$(compile) -x c++-header $$(@:.gch=) -o $$@
endef

$(eval $(call precompile,test,src/base/test.h,$(test_objects)))
$(B)/gen/precompiled/test.h.gch: CXXFLAGS := -O0

# PRECOMPILED=: without the standard library's, which take a quarter of the time (scripts/check-includes sees to it that files include what
# they use all the same). One for each level of optimisation, as g++ takes none of another.
ifneq ($(PRECOMPILED),)
$(eval $(call precompile,fast,src/base/standard.h,$(filter-out $(cold_objects),$(fast_objects) $(tool_objects)) \
	$(patsubst %.cpp,$(B)/obj/%.o,$(wildcard tests/lib/fuzz/*.cpp))))
$(eval $(call precompile,small,src/base/standard.h,$(filter-out $(cold_objects),$(small_objects))))
$(B)/gen/precompiled/small.h.gch: override CXXFLAGS := $(CXXFLAGS:-O2=-Os)
$(if $(cold),$(eval $(call precompile,cold,src/base/standard.h,$(cold_objects))))
$(B)/gen/precompiled/cold.h.gch: override CXXFLAGS := -O0
endif

# --- the manuals: Markdown, embedded as it stands (src/cli/page.h)

$(foreach t,$(tools),$(eval $(B)/gen/$(t).manual.h: tools/$(t)/$(t).md))
$(B)/gen/skill.manual.h: src/run/skill.md
$(B)/gen/sql.manual.h: src/run/sql.md
$(B)/obj/src/run/dispatch.o: | $(B)/gen/skill.manual.h
$(B)/obj/src/run/sql_page.o: | $(B)/gen/sql.manual.h

$(manuals):
	$(Q)mkdir -p $(@D)
	$(Q){ printf '%s\n' '#pragma once' '#include <string_view>' 'namespace strata {' \
		'static constexpr std::string_view kManual = R"md('; cat $<; printf ')md";\n}  // namespace strata\n'; } > $@

# --- programs of the probe language that come with `strata run`

scripts := $(sort $(wildcard tools/run/scripts/*.bt))
$(B)/obj/tools/run/run.o: | $(B)/gen/run.scripts.h

$(B)/gen/run.scripts.h: $(scripts)
	$(Q)mkdir -p $(@D)
	$(Q){ printf '%s\n' '#pragma once' '#include <string_view>' 'namespace strata {' \
		'struct RunScript {' '  std::string_view name, text;' '};' 'static constexpr RunScript kScripts[] = {'; \
		for file in $(scripts); do printf '{"%s", R"bt(' "$$(basename $$file .bt)"; cat $$file; printf ')bt"},\n'; done; \
		printf '};\n}  // namespace strata\n'; } > $@

# --- the file that `strata export` has without one

$(B)/obj/tools/export/export.o: | $(B)/gen/export.default.h

$(B)/gen/export.default.h: tools/export/export.toml
	$(Q)mkdir -p $(@D)
	$(Q){ printf '%s\n' '#pragma once' '#include <string_view>' 'namespace strata {'; \
		printf 'static constexpr std::string_view kDefaultFile = R"toml('; cat $<; printf ')toml";\n}  // namespace strata\n'; } > $@

# --- the names of the system calls, from the kernel's headers: this architecture's, and of its 32-bit programs

$(B)/gen/syscalls.h: Makefile
	$(Q)mkdir -p $(@D)
	$(Q)echo '#include <asm/unistd.h>' | $(CXX) -E -dM -x c++ - | \
		sed -nE 's/^#define __NR_([a-z0-9_]+) .*/{__NR_\1, "\1"},/p' | sort > $@

# arm64's are of another machine, whose headers Debian has apart (linux-libc-dev-armhf-cross); without them they have no names.
arm_headers := /usr/arm-linux-gnueabihf/include
calls32 := $(if $(filter aarch64,$(machine)),"$(arm_headers)/asm/unistd.h",<asm/unistd_32.h>)

$(B)/gen/syscalls32.h: Makefile
	$(Q)mkdir -p $(@D)
	$(Q)echo '#include $(calls32)' | $(CXX) -E -dM $(if $(filter aarch64,$(machine)),-D__ARM_EABI__ -I$(arm_headers)) -x c++ - 2>/dev/null | \
		sed -nE 's/^#define __NR_([a-z0-9_]+) \(?(__NR_SYSCALL_BASE ?\+ ?)?([0-9]+)\)?$$/{\3, "\1"},/p' | sort > $@

$(B)/obj/src/kern/syscall.o: $(B)/gen/syscalls.h $(B)/gen/syscalls32.h

# --- the scripts and styles of pages, as they stand

page_parts := $(sort $(wildcard src/render/*.css src/render/*.html src/render/*.js))
page_objects := $(page_parts:%=$(B)/obj/%.o)
$(page_objects): symbol = $(subst .,_,$(notdir $(<:.gz=)))_gz

$(page_parts:%=$(B)/obj/%.gz): $(B)/obj/%.gz: %
	$(Q)mkdir -p $(@D)
	$(Q)gzip -9n < $< > $@

$(page_objects): $(B)/obj/%.o: $(B)/obj/%.gz
	$(Q)printf '%s\n' $(incbin) | $(CXX) -c -x assembler - -o $@

# The fast ones first: of a template that several objects have, the linker takes the first.
$(B)/libstrata.a: $(fast_objects) $(small_objects) $(patsubst %,$(B)/obj/bpf/%.o,$(programs) $(with_stacks)) $(page_objects)
	$(call say,AR)
	$(Q)rm -f $@.new && $(AR) rcs $@.new $^ && mv $@.new $@

# --- the tables of tools, rewritten only when they change

table = '\#include "run/dispatch.h"' 'namespace strata {' $(foreach t,$(1),'extern const Tool tool_$(t);') \
	'static const Tool *const kTable[] = {$(foreach t,$(1),&tool_$(t),)};' \
	'constinit const std::span<const Tool *const> kTools = kTable;' '}'

$(B)/gen/strata.cpp: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' $(call table,$(tools)) | cmp -s - $@ || printf '%s\n' $(call table,$(tools)) > $@

$(B)/gen/one/%.cpp: Makefile
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' $(call table,$*) > $@

$(B)/obj/gen/%.o: $(B)/gen/%.cpp
	$(Q)mkdir -p $(@D)
	$(Q)$(compile) -MMD -MP -c $< -o $@

# All of the archive, in its order; the linker drops what is not used. It says which libraries it opens (scripts/packaging/sbom).
link = $(Q)mkdir -p $(@D) && $(CXX) $(link_flags) $(if $(SANITIZE),,$(STRIP)) $(filter %.o,$^) \
	-Wl,--whole-archive $(filter %.a,$^) -Wl,--no-whole-archive $(libraries) \
	-Wl,--trace -o $@ >$(B)/gen/$(@F).linked

$(B)/bin/strata: $(B)/obj/src/main.o $(B)/obj/gen/strata.o $(tool_objects) $(B)/libstrata.a
	$(call say,LINK)
	$(link)

$(foreach t,$(tools),$(eval $(B)/bin/$(t): $(call objects_of,$(t))))

$(tools:%=$(B)/bin/%): $(B)/bin/%: $(B)/obj/src/main.o $(B)/obj/gen/one/%.o $(B)/libstrata.a
	$(call say,LINK)
	$(link)

# --- tests: Catch2 3 brings its main in a library, Catch2 2 needs one of ours

catch_libraries := $(shell $(pkg_config) --libs catch2-with-main 2>/dev/null)
catch_main := $(if $(catch_libraries),,$(B)/obj/gen/catch_main.o)

$(B)/gen/catch_main.cpp:
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' '#define CATCH_CONFIG_MAIN' '#include <catch2/catch.hpp>' > $@

$(B)/unit-tests: $(test_objects) $(catch_main) $(B)/libstrata.a
	$(call say,LINK)
	$(Q)$(CXX) $(link_flags) $^ $(catch_libraries) $(libraries) -o $@

unit: $(B)/unit-tests
	$(Q)$(B)/unit-tests

# What tests run, for itself with -j: the tests begin side by side without make.
test-programs: all $(B)/unit-tests

test: test-programs
	$(Q)scripts/test

# One for each CPU at a time, each with all that it says. Those that take longest are the last by name, and begin first.
check: all
	$(Q)ls -r scripts/check-* | xargs -P$$(nproc) -I{} sh -c 'said=$$({} 2>&1); status=$$?; echo "$$said"; exit $$status'

# --- each program against the types of each kernel: the checker, and what vmlinux/ declares as one more program

btf_check_objects := $(patsubst %.cpp,$(B)/obj/%.o,$(sort $(wildcard tests/lib/btf/*.cpp)))

$(B)/btf-check: $(btf_check_objects)
	$(call say,LINK)
	$(Q)$(CXX) $(SANITIZE) $^ $(libraries) -o $@

$(B)/btf/declared.bpf.o: tests/lib/btf/declared.py $(wildcard vmlinux/*.h)
	$(call say,BPF)
	$(Q)mkdir -p $(@D)
	$(Q)tests/lib/btf/declared.py $(CLANG) $(bpf_flags) > $(@:.o=.c)
	$(Q)$(CLANG) $(bpf_flags) -c $(@:.o=.c) -o $@

check: $(B)/btf-check $(B)/btf/declared.bpf.o

# For arm64 too, where there is a compiler for it: the programs, and what knows of the machine.
with_arm64 := $(if $(CROSS),,$(and $(shell command -v aarch64-linux-gnu-g++),arm64))
of_machines := $(shell grep -lE '__(x86_64|aarch64)__|"expr/machine[.]h"|<asm/' $(sources)) $(filter src/unwind/%,$(sources))
check: $(with_arm64)
.PHONY: arm64
arm64:
	$(Q)$(MAKE) --no-print-directory CROSS=aarch64-linux-gnu programs build/aarch64-linux-gnu/btf/declared.bpf.o \
		$(of_machines:%.cpp=build/aarch64-linux-gnu/obj/%.o)
test-programs: $(if $(CROSS),,$(B)/btf-check)

bench: all
	$(Q)scripts/bench

# --- for editors: the commands by which this file would build everything, where clangd looks for them; and the formatter

editor_targets = all $(B)/unit-tests $(B)/btf-check $(B)/browser-pages $(workloads) \
	$(patsubst %.cpp,$(B)/obj/%.o,$(sort $(wildcard tests/lib/fuzz/*.cpp)))

# An entry for each command that compiles. What only g++ knows of warnings is for clang nothing to warn of.
compile_commands.json: all
	$(call say,EDITOR)
	$(Q)$(MAKE) -Bn --no-print-directory V=1 CXXFLAGS='$(CXXFLAGS) -Wno-error -Wno-unknown-warning-option -Wno-sign-conversion' \
		$(editor_targets) | \
		sed -nE '/ -MMD /{s/ -include \S+\/precompiled\/\S+//; s/[\\"]/\\&/g; s|.* (\S+\.(cpp\|bpf\.c)) .*|{"directory": "$(CURDIR)", "file": "\1", "command": "&"},|p}' | \
		sed '1s/^/[/; $$s/,$$/]/' > $(B)/$@

format:
	$(Q)scripts/check-style --format

# FILES: some of them. A file takes some seconds, all of them minutes.
CLANG_TIDY ?= $(call find_tool,clang-tidy $(foreach n,22 21 20 19 18 17 16 15 14,clang-tidy-$(n)))
FILES ?= $(filter-out %_test.cpp,$(wildcard src/*.cpp src/*/*.cpp tools/*/*.cpp))

tidy: compile_commands.json
	$(Q)command -v $(CLANG_TIDY) >/dev/null || { echo 'tidy needs clang-tidy (try: scripts/setup --tidy)' && exit 1; }
	$(Q)printf '%s\n' $(FILES) | xargs -P$$(nproc) -n1 $(CLANG_TIDY) -p $(B) --quiet 2>/dev/null

# --- unit and golden tests once more, with the compiler's sanitizers; random input for each parser; one build for both

sanitize:
	$(Q)tests/lib/fuzz/run --build bin/strata unit-tests
	$(Q)STRATA=$(B)/fuzz/bin/strata tests/lib/golden/run & $(B)/fuzz/unit-tests; status=$$?; wait $$! && exit $$status

# SECONDS_EACH: for each parser.
fuzz:
	$(Q)tests/lib/fuzz/run $(SECONDS_EACH:%=--seconds %)

# For tests/lib/fuzz/run, which chooses B, CXX and SANITIZE. All targets are one program, whose name says which it is: with
# sanitizers a link takes seconds.
fuzz_targets := $(patsubst tests/lib/fuzz/%.cpp,%,$(sort $(wildcard tests/lib/fuzz/*.cpp)))
fuzz_objects := $(fuzz_targets:%=$(B)/obj/tests/lib/fuzz/%.o)
fuzz_table = '\#include "choose.h"' $(fuzz_targets:%='FuzzTarget fuzz_%;') \
	'static constexpr NamedTarget kTable[] = {$(foreach t,$(fuzz_targets),{"$(t)", fuzz_$(t)},)};' \
	'constinit const std::span<const NamedTarget> kTargets = kTable;'

$(B)/gen/fuzz.cpp: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' $(fuzz_table) | cmp -s - $@ || printf '%s\n' $(fuzz_table) > $@

$(B)/obj/gen/fuzz.o: cxx_flags += -iquote tests/lib/fuzz
$(fuzz_objects): | $(skeletons) $(manuals)

$(B)/targets/all: $(B)/obj/gen/fuzz.o $(fuzz_objects) $(B)/obj/gen/strata.o $(tool_objects) $(B)/libstrata.a
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(link_flags) -fsanitize=fuzzer $^ $(libraries) -o $@

$(fuzz_targets:%=$(B)/targets/%): $(B)/targets/all
	$(Q)ln -f $< $@

# --- workloads of the live tests: static, so that they run in any guest

workloads := $(patsubst tests/lib/workloads/%.cpp,$(B)/workloads/%,$(sort $(wildcard tests/lib/workloads/*.cpp)))

$(B)/workloads/%: tests/lib/workloads/%.cpp
	$(call say,CXX)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) -std=c++20 $(warnings) $(CXXFLAGS) -pthread -static $(or $(link_way),-s) -MMD -MP -MF $@.d $< -o $@

$(B)/workloads/news: link_way := -g0
$(B)/workloads/inlines: link_way := -g -Wl,--build-id=0x6c696e6573
$(B)/workloads/arguments: link_way := -g

# One more in C, which looks hosts up: with shared libraries, because those are what is probed, and in other ways to have
# a C library. musl and 32 bits only where the compiler can, and of this machine.
can = $(if $(CROSS),,$(shell printf '#include <sys/socket.h>\nint main(void) { return 0; }\n' | $(1) -x c -o /dev/null - 2>/dev/null && echo yes))
resolves := $(B)/workloads/resolves $(B)/workloads/resolves-static $(B)/workloads/resolves-stripped \
	$(if $(call can,musl-gcc),$(B)/workloads/resolves-musl) $(if $(call can,i686-linux-gnu-gcc),$(B)/workloads/resolves-32)
workloads += $(resolves)

$(B)/workloads/resolves-static: link_way := -static
$(B)/workloads/resolves-stripped: link_way := -static -s
$(B)/workloads/resolves-32: CC := i686-linux-gnu-gcc
$(B)/workloads/resolves-musl: CC := musl-gcc
$(resolves): tests/lib/workloads/resolves.c
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -Wall -Wextra -O2 $(link_way) -pthread $< -o $@ 2>$@.log || { cat $@.log && false; }

# And one whose stacks are known, without frame pointers, linked in each way that programs are; and three that block.
stacks := $(addprefix $(B)/workloads/stacks,-pie -nopie -static -stripped $(if $(call can,musl-gcc),-musl))
waiting := $(addprefix $(B)/workloads/,blocks relay locks contends)
usdt := $(B)/workloads/usdt $(B)/workloads/usdt-counted
workloads += $(stacks) $(waiting) $(usdt)

$(B)/workloads/stacks-pie: link_way := -pie
$(B)/workloads/stacks-nopie: link_way := -fno-pie -no-pie
$(B)/workloads/stacks-static: link_way := -static
$(B)/workloads/stacks-stripped: link_way := -pie -s
$(B)/workloads/stacks-musl: CC := musl-gcc
$(stacks): tests/lib/workloads/stacks.c
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -Wall -Wextra -O2 -fomit-frame-pointer $(link_way) -pthread $< -o $@

# And one that leaks, without frame pointers, with a C library in each way.
leaks := $(addprefix $(B)/workloads/leaks,-shared -static $(if $(call can,musl-gcc),-musl -musl-static))
workloads += $(leaks)

$(B)/workloads/leaks-static: link_way := -static
$(B)/workloads/leaks-musl $(B)/workloads/leaks-musl-static: CC := musl-gcc
$(B)/workloads/leaks-musl-static: link_way := -static
$(leaks): tests/lib/workloads/leaks.c
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -Wall -Wextra -O2 -fno-builtin-malloc -fomit-frame-pointer $(link_way) -pthread $< -o $@

# Without its symbols, which are in a file that it names, with a build id that the test knows; or packed in itself. Static, so
# that they run in any root.
OBJCOPY ?= objcopy
workloads += $(B)/workloads/stacks-linked $(B)/workloads/stacks-packed

$(B)/workloads/stacks-linked: tests/lib/workloads/stacks.c
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -Wall -Wextra -O2 -fomit-frame-pointer -static -pthread -Wl,--build-id=0x737472617461 $< -o $@.debug
	$(Q)$(OBJCOPY) -S --add-gnu-debuglink=$@.debug $@.debug $@

$(B)/workloads/stacks-packed: $(B)/workloads/stacks-static
	$(call say,PACK)
	$(Q)$(OBJCOPY) --only-keep-debug $< $@.symbols
	$(Q)xz -c $@.symbols > $@.xz
	$(Q)$(OBJCOPY) -S --add-section .gnu_debugdata=$@.xz $< $@
	$(Q)rm $@.symbols $@.xz

# Its lines are in the file of debug symbols alone.
workloads += $(B)/workloads/inlines-stripped

$(B)/workloads/inlines-stripped: $(B)/workloads/inlines
	$(call say,STRIP)
	$(Q)$(OBJCOPY) --only-keep-debug $< $@.debug
	$(Q)$(OBJCOPY) -S $< $@

# Its names are its own, its types are elsewhere.
workloads += $(B)/workloads/arguments-apart

$(B)/workloads/arguments-apart: $(B)/workloads/arguments
	$(call say,STRIP)
	$(Q)$(OBJCOPY) --only-keep-debug $< $@.debug
	$(Q)$(OBJCOPY) --strip-debug --add-gnu-debuglink=$@.debug $< $@

$(B)/workloads/usdt-counted: tests/lib/workloads/usdt.c
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -Wall -Wextra -O2 $(sysroot_headers) -DCOUNTED $< -o $@

$(waiting) $(B)/workloads/usdt: $(B)/workloads/%: tests/lib/workloads/%.c
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -Wall -Wextra -O2 $(sysroot_headers) -fomit-frame-pointer -pthread $< -o $@

workloads: $(workloads)
test-programs: workloads

# --- pages of known contents for the test in a browser

$(B)/browser-pages: tests/lib/browser/pages.cpp $(B)/libstrata.a
	$(call say,CXX)
	$(Q)$(compile) $(link_flags) -MMD -MP -MF $@.d $< $(B)/libstrata.a $(libraries) -o $@

test-programs: $(if $(CROSS),,$(B)/browser-pages)

# KERNELS: some of the five; JOBS: guests at a time; TOOLS: some of the tools; QUICK=1: some tests of each tool.
matrix: all $(workloads)
	$(Q)scripts/matrix --jobs $(or $(JOBS),1) $(if $(QUICK),--quick) $(TOOLS:%=--tool %) $(KERNELS)

# --- the main job on real input: samples of the writes of a dd to this machine's own file system

demo:
	$(Q)scripts/setup
	$(Q)$(MAKE) -j$$(nproc) all
	$(Q)mkdir -p $(B)/demo
	$(Q)$(B)/bin/strata follow write --every 61 --limit 5 -- \
		dd if=/dev/zero of=$(B)/demo/data bs=4k count=5003 conv=fsync
	$(Q)rm -rf $(B)/demo

# --- manual pages and completion: strata's own words, from one that runs here. That is the one just built, unless it is for another
# machine: then HOST_STRATA names one of this version, or one is built here.

HOST_STRATA ?= $(if $(CROSS),build,$(B))/bin/strata

ifneq ($(CROSS),)
build/bin/strata: FORCE
	$(Q)$(MAKE) CROSS= SYSROOT= CC=cc CXX=g++ $@
endif

# The other names of the tools come last: they stand for all of it.
$(B)/pages/links: $(HOST_STRATA)
	$(call say,PAGES)
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(Q)$(HOST_STRATA) --man > $(@D)/strata.8
	$(Q)set -e; for shell in bash zsh fish; do $(HOST_STRATA) --completion $$shell > $(@D)/strata.$$shell; done
	$(Q)set -e; for tool in $(tools); do $(HOST_STRATA) $$tool --man > $(@D)/strata-$$tool.8; done
	$(Q)$(HOST_STRATA) --links > $@

pages: $(B)/pages/links

# --- installation, which only copies what was made: the tools are links called strata-NAME, so that they collide with nobody's
# biolatency

bindir = $(DESTDIR)$(PREFIX)/bin
mandir = $(DESTDIR)$(PREFIX)/share/man/man8
bashdir = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fishdir = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
sharedir = $(DESTDIR)$(PREFIX)/share/strata
unitdir = $(DESTDIR)$(PREFIX)/lib/systemd/system
# What a host has changed of it stays as it is.
sysconfdir ?= $(if $(filter /usr,$(PREFIX)),/etc,$(PREFIX)/etc)
confdir = $(DESTDIR)$(sysconfdir)/strata

# bash and fish look for a file of the command's name, zsh knows the names of the links by a pattern.
install: all
	$(Q)install -D -m 755 $(B)/bin/strata $(bindir)/strata
	$(Q)install -D -m 644 -t $(mandir) $(B)/pages/*.8
	$(Q)install -D -m 644 $(B)/pages/strata.bash $(bashdir)/strata
	$(Q)install -D -m 644 $(B)/pages/strata.zsh $(zshdir)/_strata
	$(Q)install -D -m 644 $(B)/pages/strata.fish $(fishdir)/strata.fish
	$(Q)install -D -m 644 -t $(sharedir) tools/export/host/strata.rules.yml tools/export/host/strata-dashboard.json
	$(Q)[ -e $(confdir)/export.toml ] || install -D -m 644 tools/export/export.toml $(confdir)/export.toml
	$(Q)mkdir -p $(unitdir) && sed 's|@bindir@|$(PREFIX)/bin|; s|/etc/strata|$(sysconfdir)/strata|' \
		tools/export/host/strata-export.service > $(unitdir)/strata-export.service
	$(Q)set -e; for tool in $(tools); do echo "$$tool"; done | cat - $(B)/pages/links | while read -r link tool; do \
		ln -sf strata $(bindir)/strata-$$link; \
		ln -sf strata $(bashdir)/strata-$$link; \
		ln -sf strata.fish $(fishdir)/strata-$$link.fish; \
		[ -z "$$tool" ] || ln -sf strata-$$tool.8 $(mandir)/strata-$$link.8; \
	done

# --- what is published, in build/dist, and packages of it, in build/packages (scripts/packaging/README.md). BUILT=1: without
# debug symbols, but of the objects that lie here, in seconds.

package = $(Q)env -u MAKEFLAGS -u MFLAGS VERSION=$(VERSION) B=$(B) BUILT='$(BUILT)' STATIC='$(STATIC)' CXX='$(CXX)' MACHINE=$(machine) \
	CROSS='$(CROSS)' SYSROOT='$(SYSROOT)' HOST_STRATA='$(HOST_STRATA)' scripts/packaging/$(1)

# The sources are one archive for all machines.
build/dist/strata-$(VERSION).tar.xz: FORCE
	$(call say,DIST)
	$(call package,dist)

dist: build/dist/strata-$(VERSION).tar.xz $(B)/bin/strata
	$(call package,published)

deb rpm: build/dist/strata-$(VERSION).tar.xz $(if $(BUILT),all) $(if $(CROSS),$(HOST_STRATA))
	$(call say,PACKAGE)
	$(call package,$@)

packages: dist deb rpm
	$(Q)tests/lib/packages/run

clean:
	$(Q)rm -rf $(B)

FORCE:

# Not of unpacked sources, which a package leaves whose making was interrupted.
-include $(shell find $(B) -name packages -prune -o -type f -name '*.d' -print 2>/dev/null)
