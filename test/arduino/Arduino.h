// What the sketches use of Arduino's core.
#pragma once
#include <cstdarg>
#include <cstdint>
#include <cstdio>

struct SerialPort {
  void begin(unsigned long) {}
  void println(const char *line) { std::puts(line); }
  void printf(const char *format, ...) __attribute__((format(printf, 2, 3))) {
    va_list values;
    va_start(values, format);
    std::vprintf(format, values);
    va_end(values);
  }
};
inline SerialPort Serial;

// Nothing here needs time to go by.
inline void delay(uint32_t) {}
