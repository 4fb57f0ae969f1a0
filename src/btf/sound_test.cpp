// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "btf/sound.h"

#include <bpf/btf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "base/test.h"

namespace strata {
namespace {

// Of the types that `make` adds behind an int (1) and a pointer to it (2).
bool sound(const std::function<void(btf *)> &make) {
  const std::unique_ptr<btf, decltype(&btf__free)> types(btf__new_empty(), btf__free);
  btf__add_int(types.get(), "int", 4, BTF_INT_SIGNED);
  btf__add_ptr(types.get(), 1);
  make(types.get());
  uint32_t size = 0;
  const void *bytes = btf__raw_data(types.get(), &size);
  Fd file(memfd_create("types", MFD_CLOEXEC));
  REQUIRE(write(file.get(), bytes, size) == static_cast<ssize_t>(size));
  const auto opened = BtfFile::open(std::move(file));
  REQUIRE(opened != nullptr);
  return is_sound(*opened);
}

// Each has the one before twice within it; the first is 3.
void add_doubling(btf *types, int count) {
  for (int i = 0; i < count; i++) {
    btf__add_struct(types, ("s" + std::to_string(i)).c_str(), 8);
    btf__add_field(types, "a", i == 0 ? 1 : 2 + i, 0, 0);
    btf__add_field(types, "b", i == 0 ? 1 : 2 + i, 0, 0);
  }
}

}  // namespace

TEST_CASE("types as compilers make them are sound") {
  CHECK(sound([](btf *) {}));
  CHECK(sound([](btf *types) {  // 3: struct node { struct node *next; int low : 3; int grid[2]; };
    btf__add_struct(types, "node", 24);
    btf__add_field(types, "next", 4, 0, 0);
    btf__add_field(types, "low", 1, 64, 3);
    btf__add_field(types, "grid", 5, 96, 0);
    btf__add_ptr(types, 3);
    btf__add_array(types, 1, 1, 2);
    btf__add_func_proto(types, 0);
    btf__add_func_param(types, "n", 4);
    btf__add_func(types, "0x1000", BTF_FUNC_GLOBAL, 6);
    btf__add_fwd(types, "unknown", BTF_FWD_STRUCT);
    btf__add_enum(types, "color", 4);
    btf__add_enum_value(types, "RED", 1);
    btf__add_float(types, "double", 8);
  }));
  CHECK(sound([](btf *types) { add_doubling(types, 12); }));
}

TEST_CASE("types that do not end, or that nobody could show, are not sound") {
  CHECK_FALSE(sound([](btf *types) {  // within itself
    btf__add_struct(types, "node", 8);
    btf__add_field(types, "in", 3, 0, 0);
  }));
  CHECK_FALSE(sound([](btf *types) {  // by a declaration
    btf__add_struct(types, "node", 8);
    btf__add_field(types, "in", 4, 0, 0);
    btf__add_fwd(types, "node", BTF_FWD_STRUCT);
  }));
  CHECK_FALSE(sound([](btf *types) { btf__add_typedef(types, "again", 3); }));
  CHECK_FALSE(sound([](btf *types) { add_doubling(types, 30); }));
  CHECK_FALSE(sound([](btf *types) { btf__add_array(types, 1, 2, 1 << 30); }));
  CHECK_FALSE(sound([](btf *types) {  // zero bytes, without end
    btf__add_struct(types, "empty", 0);
    btf__add_array(types, 1, 3, 1 << 30);
  }));
  CHECK_FALSE(sound([](btf *types) { btf__add_int(types, "wide", 16, 0); }));
  CHECK_FALSE(sound([](btf *types) {
    btf__add_struct(types, "bits", 16);
    btf__add_field(types, "wide", 1, 0, 65);
  }));
  CHECK_FALSE(sound([](btf *types) { btf__add_struct(types, "a\033[2J", 8); }));
  CHECK_FALSE(sound([](btf *types) {
    btf__add_struct(types, "names", 8);
    btf__add_field(types, "a\nb", 1, 0, 0);
  }));
  CHECK_FALSE(sound([](btf *types) { btf__add_func(types, "0x1000", BTF_FUNC_GLOBAL, 1); }));
}

}  // namespace strata
