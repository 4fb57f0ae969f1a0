// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "cli/words.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace strata {
namespace {

std::string hint_of(const Peer *peer) {
  return peer == nullptr || peer->instead.empty() ? "" : " (" + std::string(peer->instead) + ")";
}

// Of -dp: ours wants a value behind the letter, and what stands there is no number, but the other suite's next letters.
bool is_bundled(const Option &option, std::string_view spelling, std::optional<std::string_view> in_word) {
  const bool number = option.kind != OptionKind::kText && option.kind != OptionKind::kTexts &&
                      option.kind != OptionKind::kCommand && option.kind != OptionKind::kChoice &&
                      option.named == nullptr;
  return spelling.size() == 1 && in_word && number && !std::isdigit(static_cast<unsigned char>(in_word->front()));
}

class Reader {
 public:
  Reader(std::span<const Option> options, std::span<const Peer> peers, std::span<const std::string> words)
      : options_(options), peers_(peers), words_(words) {}

  Raw read() {
    while (!words_.empty()) {
      const std::string_view word = words_.front();
      words_ = words_.subspan(1);
      if (word.size() > 2 && word.starts_with("--")) {
        take_long(word);
      } else if (word.size() > 1 && word.starts_with('-')) {
        take_letters(word);
      } else {
        raw_.rest.emplace_back(word);
      }
    }
    return std::move(raw_);
  }

 private:
  [[nodiscard]] const Peer *peer_of(std::string_view spelling) const {
    const auto found = std::ranges::find_if(peers_, [&](const Peer &peer) { return is_spelled(peer, spelling); });
    return found == peers_.end() ? nullptr : &*found;
  }

  // The value is in the option's word, or else it is the next word.
  std::string_view value_of(std::optional<std::string_view> in_word, const std::string &option, const Peer *peer) {
    if (in_word) return *in_word;
    if (words_.empty()) throw usage_error(option + " needs a value" + hint_of(peer));
    const std::string_view next = words_.front();
    words_ = words_.subspan(1);
    return next;
  }

  void store(const Option &option, std::string_view value) {
    raw_.options[option.name].emplace_back(value);
    raw_.ours.push_back(as_word(option, value));
  }

  void take(const Option &option, std::optional<std::string_view> in_word, std::string_view spelling) {
    const Peer *peer = option.kind == OptionKind::kCommand ? nullptr : peer_of(spelling);
    if (peer != nullptr && !peer->instead.empty() && is_bundled(option, spelling, in_word))
      throw usage_error(std::string(peer->instead));
    const std::string name = "--" + std::string(option.name);
    const bool left_out = option.is_value && !in_word && (words_.empty() || !option.is_value(words_.front()));
    const std::string_view value = option.value.empty() || left_out ? "" : value_of(in_word, name, peer);
    for (const Peer &one : peers_) {
      if (peer == nullptr || !is_spelled(one, spelling) || !is_theirs(one, value)) continue;
      if (!one.ours.empty()) return static_cast<void>(take_theirs(one, name, value));
      throw usage_error(std::string(one.instead) + "; or do you mean " + name + "=" + printable(value) + "?");
    }
    if (peer != nullptr) raw_.hints[std::string(option.name)] = hint_of(peer);
    store(option, value);
  }

  void take_long(std::string_view word) {  // --name, --name=VALUE
    const size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = word.substr(2, equals - 2);
    std::optional<std::string_view> value;
    if (equals < word.size()) value = word.substr(equals + 1);
    const auto option = find_option(options_, name, false);
    const Peer *peer = option == options_.end() ? peer_of(name) : nullptr;
    if (peer != nullptr) {
      take_theirs(*peer, std::string(word.substr(0, equals)), value);
    } else if (option == options_.end()) {
      raw_.rest.emplace_back(word);
    } else if (option->value.empty() && value) {
      throw usage_error("--" + std::string(option->name) + " takes no value");
    } else {
      take(*option, value, name);
    }
  }

  void take_letters(std::string_view word) {  // -x, -xVALUE, and switches before it: -vxVALUE
    for (size_t i = 1; i < word.size(); ++i) {
      const std::string_view letter = word.substr(i, 1);
      std::optional<std::string_view> rest;
      if (i + 1 < word.size()) rest = word.substr(i + 1);
      const auto option = find_option(options_, letter, true);
      if (const Peer *theirs = switch_of(letter, rest); option != options_.end() && theirs != nullptr) {
        take_theirs(*theirs, "-" + std::string(letter), std::nullopt);
      } else if (option != options_.end()) {
        take(*option, rest, letter);
        if (!option->value.empty()) return;
      } else if (const Peer *peer = peer_of(letter)) {
        if (take_theirs(*peer, "-" + std::string(letter), rest)) return;
      } else {
        return raw_.rest.push_back("-" + std::string(word.substr(i)));
      }
    }
  }

  // Another suite's, of a letter that has a value in ours, which does not follow: -d submit_bio, -df.
  [[nodiscard]] const Peer *switch_of(std::string_view letter, std::optional<std::string_view> rest) const {
    const Peer *peer = peer_of(letter);
    if (peer == nullptr || peer->theirs != Peer::Values::kWords) return nullptr;
    return is_theirs(*peer, rest ? *rest : words_.empty() ? "" : std::string_view(words_.front())) ? peer : nullptr;
  }

  // An option of another suite; was its value taken?
  bool take_theirs(const Peer &peer, const std::string &typed, std::optional<std::string_view> in_word) {
    if (!peer.instead.empty()) throw usage_error(std::string(peer.instead));
    raw_.translated = true;
    if (peer.ours.empty()) return !peer.values.empty() && is_value(peer, typed, value_of(in_word, typed, nullptr));
    const size_t equals = std::min(peer.ours.find('='), peer.ours.size());
    const auto option = find_option(options_, peer.ours.substr(2, equals - 2), false);
    if (option == options_.end()) throw std::logic_error("option not declared: " + std::string(peer.ours));
    const bool valued = peer.ours.ends_with('=') || peer.ours.ends_with(':');
    std::string value(peer.ours.substr(std::min(equals + 1, peer.ours.size())));
    if (valued) value += value_of(in_word, typed, nullptr);
    store(*option, value);
    return valued;
  }

  std::span<const Option> options_;
  std::span<const Peer> peers_;
  std::span<const std::string> words_;
  Raw raw_;
};

}  // namespace

std::span<const Option>::iterator find_option(std::span<const Option> options, std::string_view spelling, bool letter) {
  return std::ranges::find_if(options, [&](const Option &option) {
    return spelling == (letter ? std::string_view(&option.short_name, 1) : option.name);
  });
}

std::string as_word(const Option &option, std::string_view value) {
  return "--" + std::string(option.name) + (option.value.empty() ? "" : "=" + std::string(value));
}

Raw read_words(std::span<const Option> options, std::span<const Peer> peers, std::span<const std::string> words) {
  return Reader(options, peers, words).read();
}

}  // namespace strata
