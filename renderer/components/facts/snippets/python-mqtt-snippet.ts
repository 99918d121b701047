import { pythonText } from './quoted.ts';
import { READING, type MqttSnippet } from './reading.ts';

/** A script for Python 3. Of paho-mqtt it uses what 1.6 and 2 have alike: `publish.single`, which raises what goes wrong. */
export const pythonMqttSnippet: MqttSnippet = ({ host, port, authority }, { device_id, device_token }) =>
  `# Needs paho-mqtt: pip install paho-mqtt
import json
from paho.mqtt import publish

DEVICE_ID = ${pythonText(device_id)}
DEVICE_TOKEN = ${pythonText(device_token)}

publish.single(
    DEVICE_ID,
    json.dumps(${READING}),
    qos=1,
    hostname=${pythonText(host)},
    port=${port},
    auth={"username": DEVICE_ID, "password": DEVICE_TOKEN},${authority === null ? '' : `\n    tls={"ca_certs": ${pythonText(authority)}},`}
)
print("Stored.")
`;
