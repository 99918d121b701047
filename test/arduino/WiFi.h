#pragma once
#include <Arduino.h>

enum wl_status_t { WL_CONNECTED = 3 };

struct WiFiOfThisMachine {
  void begin(const char *, const char *) {}
  wl_status_t status() { return WL_CONNECTED; }
};
inline WiFiOfThisMachine WiFi;

struct Client {
  const char *authority = nullptr;
};
struct WiFiClient : Client {};
