import type { HttpDoor } from './http-door.ts';
import { cppText } from './quoted.ts';
import { READING, type HttpSnippet } from './reading.ts';

/** A whole sketch for an ESP32. It runs once the name and the password of the Wi-Fi are filled in. */
export const arduinoHttpSnippet: HttpSnippet = (door, { device_token }) =>
  `// For ESP32 boards. Stores a reading every 10 s.${needs(door)}
#include <WiFi.h>
${door.authority === null ? '' : '#include <WiFiClientSecure.h>\n'}#include <HTTPClient.h>

const char *WIFI_NAME = "your network";
const char *WIFI_PASSWORD = "its password";
${reach(door)}
const char *URL = ${cppText(door.url)};
const char *AUTHORIZATION = ${cppText(`Bearer ${device_token}`)};
${network(door)}

void setup() {
  Serial.begin(115200);
  WiFi.begin(WIFI_NAME, WIFI_PASSWORD);
  while (WiFi.status() != WL_CONNECTED) delay(250);
${door.authority === null ? '' : '  network.setCACert(AUTHORITY);\n'}}

void loop() {
  HTTPClient http;
  http.begin(network, URL);
  http.addHeader("Authorization", AUTHORIZATION);
  http.addHeader("Content-Type", "application/json");
  int status = http.POST(${cppText(READING)});
  if (status != 200)
    Serial.printf("Not stored (%d): %s\\n", status, http.getString().c_str());
  http.end();
  delay(10000);
}
`;

const needs = ({ authority }: HttpDoor) =>
  authority === null
    ? ''
    : '\n// Needs the ESP32 boards package 3: older ones know no addresses in certificates.';

const reach = ({ isOnNetwork }: HttpDoor) =>
  isOnNetwork
    ? ''
    : `
// Only this machine reaches this address. Let devices on the network in on the
// screen "Service" of Fieldbench, and take the sketch that is shown then.`;

const network = ({ authority }: HttpDoor) =>
  authority === null
    ? `
WiFiClient network;`
    : `
// Who signs the service's certificate.
const char *AUTHORITY = R"PEM(${authority.trim()}
)PEM";

WiFiClientSecure network;`;
