// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/rust_names.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/test.h"
#include "sym/symbols.h"

namespace strata {
namespace {

// Tuples, each of which has the one before twice.
std::string repeating(int tuples) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name = "IC1aThhE";
  for (size_t last = 4, here; tuples > 1; tuples--, last = here) {
    here = name.size();
    const size_t number = last - 1;
    const std::string back =
        std::string("B") + (number < 62 ? "" : std::string(1, kDigits[number / 62])) + kDigits[number % 62] + "_";
    name += "T" + back + back + "E";
  }
  return "_R" + name + "E";
}

}  // namespace

TEST_CASE("names of Rust, in its scheme v0") {
  static constexpr std::pair<const char *, const char *> kNames[] = {
      {"_RNvC6_123foo3bar", "123foo::bar"},
      {"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"},
      {"_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}"},
      {"_RNCINkXs25_NgCsbmNqQUJIY6D_4core5sliceINyB9_4IterhENuNgNoBb_4iter8iterator8Iterator9rpositionNCNgNpB9_"
       "6memchr7memrchrs_0E0Bb_",
       "<core::slice::Iter<u8> as "
       "core::iter::iterator::Iterator>::rposition::<core::slice::memchr::memrchr::{closure#1}>"
       "::{closure#0}"},
      {"_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_ECs1iopQbuBiw2_3std",
       "alloc::alloc::box_free::<dyn alloc::boxed::FnBox<(), Output = ()>>"},
      {"_RNvMC0INtC8arrayvec8ArrayVechKj7b_E3new", "<arrayvec::ArrayVec<u8, 123>>::new"},
      {"_RMCs4fqI2P2rA04_13const_genericINtB0_8UnsignedKhb_E", "<const_generic::Unsigned<11>>"},
      {"_RMCs4fqI2P2rA04_13const_genericINtB0_6SignedKanb_E", "<const_generic::Signed<-11>>"},
      {"_RMCs4fqI2P2rA04_13const_genericINtB0_4BoolKb1_E", "<const_generic::Bool<true>>"},
      {"_RMCs4fqI2P2rA04_13const_genericINtB0_4CharKc76_E", "<const_generic::Char<'v'>>"},
      {"_RINvC4main3fooTlERSaQAaj2_PhONtB2_1XFUKCjEuE",
       "main::foo::<(i32,), &[i8], &mut [i8; 2], *const u8, *mut main::X, "
       "unsafe extern \"C\" fn(usize)>"},
      {"_RINvC4main3fooFG_RL0_hEuE", "main::foo::<for<'a> fn(&'a u8)>"},
      {"_RINvC4main3fooL_E", "main::foo::<'_>"},
  };
  for (const auto &[mangled, name] : kNames) {
    INFO(mangled);
    CHECK(rust_name(mangled, 1000) == name);
    CHECK(demangled(mangled).starts_with(std::string(name).substr(0, 200)));
  }
}

TEST_CASE("names of Rust, in the scheme before") {
  CHECK(demangled("_ZN4core3fmt5write17h01234567890abcdeE") == "core::fmt::write");
  CHECK(demangled("_ZN51_$LT$std..env..Args$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE") ==
        "<std::env::Args as core::fmt::Debug>::fmt");
  CHECK(demangled("_ZN4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE") == "main::{{closure}}");
  CHECK(demangled("_ZN4core3fmt5write17h01234567890abcdxE") == "core::fmt::write::h01234567890abcdx");  // not its hash
}

TEST_CASE("what is no name, or would have no end, is refused") {
  for (const char *bad : {"", "_", "_R", "_RN", "_RNvC", "_RB_", "_RBX_", "_RNvC999999999999999999999foo3bar",
                          "_RNvC3foo9bar", "_RIC1aB_E", "_RNvCs_", "_RIC1aKhE", "_RIC1aKz0_E", "_RIC1aDC1bEE"})
    CHECK_FALSE(rust_name(bad, 1000));
  CHECK(rust_name(repeating(2), 1000) == "a::<(u8, u8), ((u8, u8), (u8, u8))>");
  CHECK_FALSE(rust_name(repeating(30), 200));
  CHECK_FALSE(rust_name(repeating(30), SIZE_MAX));
  CHECK_FALSE(rust_name("_RIC1a" + std::string(500, 'S') + "hE", 1 << 20));
}

}  // namespace strata
