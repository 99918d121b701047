// PubSubClient 2.8 as the sketches use it, by libmosquitto.
#pragma once
#include <Arduino.h>
#include <WiFi.h>
#include <mosquitto.h>
#include <unistd.h>
#include <cstdlib>
#include <cstring>
#include <string>

class PubSubClient {
 public:
  explicit PubSubClient(Client &client) : client(client) { mosquitto_lib_init(); }

  PubSubClient &setServer(const char *name, uint16_t number) {
    host = name;
    port = number;
    return *this;
  }
  bool setBufferSize(uint16_t size) { return (bufferSize = size) > 0; }
  bool connected() { return code == 0; }
  int state() { return code; }
  bool loop() { return connected() && mosquitto_loop(session, 0, 1) == MOSQ_ERR_SUCCESS; }

  bool connect(const char *id, const char *user, const char *pass) {
    disconnect();
    session = mosquitto_new(id, true, this);
    mosquitto_username_pw_set(session, user, pass);
    mosquitto_connect_callback_set(session, [](mosquitto *, void *self, int answer) {
      static_cast<PubSubClient *>(self)->code = answer;
    });
    mosquitto_publish_callback_set(session, [](mosquitto *, void *self, int) {
      static_cast<PubSubClient *>(self)->sent++;
    });
    code = -2;
    if (!trust() || mosquitto_connect(session, host, port, 15) != MOSQ_ERR_SUCCESS) return false;
    while (code == -2 && mosquitto_loop(session, 1000, 1) == MOSQ_ERR_SUCCESS) continue;
    return connected();
  }

  bool publish(const char *topic, const char *payload) {
    const size_t HEADER = 5;
    if (!connected() || HEADER + 2 + strlen(topic) + strlen(payload) > bufferSize) return false;
    const int before = sent;
    mosquitto_publish(session, nullptr, topic, strlen(payload), payload, 0, false);
    while (sent == before && mosquitto_loop(session, 1000, 1) == MOSQ_ERR_SUCCESS) continue;
    return sent > before;
  }

  void disconnect() {
    if (session == nullptr) return;
    mosquitto_disconnect(session);
    mosquitto_destroy(session);
    session = nullptr;
    code = -1;
  }

  // For main.cpp: how many messages were sent whole.
  int sent = 0;

 private:
  // libmosquitto wants a file.
  bool trust() {
    if (client.authority == nullptr) return true;
    char file[] = "/tmp/authority-XXXXXX";
    const int open = mkstemp(file);
    const size_t length = strlen(client.authority);
    const bool written = open >= 0 && write(open, client.authority, length) == ssize_t(length);
    const bool set =
        written && mosquitto_tls_set(session, file, nullptr, nullptr, nullptr, nullptr) == MOSQ_ERR_SUCCESS;
    authorityFile = file;
    close(open);
    return set;
  }

  struct Removed {
    std::string name;
    Removed &operator=(const char *next) {
      if (!name.empty()) unlink(name.c_str());
      name = next;
      return *this;
    }
    ~Removed() {
      if (!name.empty()) unlink(name.c_str());
    }
  };

  Client &client;
  const char *host = nullptr;
  uint16_t port = 0;
  uint16_t bufferSize = 256;
  int code = -1;
  mosquitto *session = nullptr;
  Removed authorityFile;
};
