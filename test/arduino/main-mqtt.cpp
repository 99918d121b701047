// Comes after the sketch, whose setup(), loop() and mqtt it uses.
int main() {
  const int ROUNDS = 3;
  setup();
  for (int round = 0; round < ROUNDS && mqtt.sent == 0; round++) loop();
  const bool done = mqtt.sent > 0;
  mqtt.disconnect();
  return done ? 0 : 1;
}
