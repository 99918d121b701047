#pragma once
#include <WiFi.h>

struct WiFiClientSecure : WiFiClient {
  // A secure client that is told no authority trusts nobody, as the real one.
  WiFiClientSecure() { authority = ""; }
  void setCACert(const char *pem) { authority = pem; }
};
