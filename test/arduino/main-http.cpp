// Comes after the sketch, whose setup() and loop() it uses.
int main() {
  const int ROUNDS = 3;
  setup();
  for (int round = 0; round < ROUNDS && HTTPClient::stored == 0; round++) loop();
  return HTTPClient::stored > 0 ? 0 : 1;
}
