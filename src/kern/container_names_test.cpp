// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/container_names.h"

#include <filesystem>
#include <fstream>

#include "base/test.h"

namespace strata {

TEST_CASE("names of containers and pods, as each runtime keeps them") {
  namespace fs = std::filesystem;
  char folder[] = "/tmp/containers.XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string root = folder;
  const auto id = [](char digit) { return std::string(64, digit); };
  const auto put = [&](const std::string &path, const std::string &text) {
    fs::create_directories(fs::path(root + path).parent_path());
    std::ofstream(root + path) << text;
  };
  const std::string docker = "/var/lib/docker/containers/";
  put(docker + id('1') + "/config.v2.json", R"({"ID": "1", "Name": "/web", "Config": {"Hostname": "x"}})");
  put(docker + id('2') + "/config.v2.json", R"({"Name": 7})");
  put(docker + id('3') + "/config.v2.json", "{\"Name\":");
  put(docker + id('4') + "/config.v2.json", R"({"Name": ")" + std::string(300, 'x') + "\"}");
  put(docker + id('5') + "/config.v2.json", std::string(100'000, '['));
  put("/var/lib/containers/storage/overlay-containers/containers.json",
      R"([7, {"id": "short", "names": ["x"]}, {"id": ")" + id('6') + R"(", "names": ["db", "second"]}, {"id": ")" +
          id('7') + R"("}])");
  put("/var/log/containers/web-1_default_nginx-main-" + id('8') + ".log", "");
  put("/var/log/containers/_.log", "");
  put("/var/log/pods/default_web-1_0a1b/nginx-main/0.log", "");
  put("/var/log/pods/alone_/x", "");

  ContainerNames names(root);
  CHECK(names.container(id('1')) == "web");
  for (const char digit : {'2', '3', '4', '5', '7', '9'}) CHECK(names.container(id(digit)).empty());
  CHECK(names.container(id('6')) == "db");
  CHECK(names.container(id('8')) == "nginx-main");
  CHECK(names.container("../../etc").empty());
  CHECK(names.pod("0a1b") == "default/web-1");
  CHECK(names.pod("none").empty());
  put(docker + id('a') + "/config.v2.json", R"({"Name": "/later"})");
  CHECK(names.container(id('a')) == "later");
  fs::remove_all(root);
}

}  // namespace strata
