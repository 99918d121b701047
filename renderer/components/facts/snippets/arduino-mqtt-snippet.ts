import { isOfThisMachine, type MqttDoor } from './mqtt-door.ts';
import { cppText } from './quoted.ts';
import { READING, type MqttSnippet } from './reading.ts';

/** A whole sketch for an ESP32. It runs once the name and the password of the Wi-Fi are filled in. */
export const arduinoMqttSnippet: MqttSnippet = (door, { device_id, device_token }) =>
  `// For ESP32 boards, with the library PubSubClient. Stores a reading every 10 s.
// It publishes with QoS 0: what is sent while the connection breaks is lost.
// It speaks MQTT 3.1.1: a reading that is refused is shown by Fieldbench alone.
${includes(door)}
const char *WIFI_NAME = "your network";
const char *WIFI_PASSWORD = "its password";
${host(door)}
const uint16_t PORT = ${door.port};
const char *DEVICE_ID = ${cppText(device_id)};
const char *DEVICE_TOKEN = ${cppText(device_token)};
${network(door)}
PubSubClient mqtt(network);

void setup() {
  Serial.begin(115200);
  WiFi.begin(WIFI_NAME, WIFI_PASSWORD);
  while (WiFi.status() != WL_CONNECTED) delay(250);
${door.authority === null ? '' : '  network.setCACert(AUTHORITY);\n'}  mqtt.setServer(HOST, PORT);
  mqtt.setBufferSize(4096);  // for the largest message; without it, 256 bytes
}

void loop() {
  if (!mqtt.connected() && !mqtt.connect(DEVICE_ID, DEVICE_ID, DEVICE_TOKEN)) {
    Serial.printf("No connection to Fieldbench, state %d\\n", mqtt.state());
    delay(5000);
    return;
  }
  if (!mqtt.publish(DEVICE_ID, ${cppText(READING)}))
    Serial.println("The reading was not sent");
  mqtt.loop();
  delay(10000);
}
`;

const includes = ({ authority }: MqttDoor) =>
  authority === null
    ? `#include <WiFi.h>
#include <PubSubClient.h>
`
    : `// Needs the ESP32 boards package 3: older ones know no addresses in certificates.
#include <WiFi.h>
#include <WiFiClientSecure.h>
#include <PubSubClient.h>
`;

const host = (door: MqttDoor) => `${
  isOfThisMachine(door)
    ? `
// Only this machine reaches this address. Let devices on the network in on the
// screen "Service" of Fieldbench, and take the sketch that is shown then.`
    : ''
}
const char *HOST = ${cppText(door.host)};`;

const network = ({ authority }: MqttDoor) =>
  authority === null
    ? `
WiFiClient network;`
    : `
// Who signs the service's certificate.
const char *AUTHORITY = R"PEM(${authority.trim()}
)PEM";

WiFiClientSecure network;`;
