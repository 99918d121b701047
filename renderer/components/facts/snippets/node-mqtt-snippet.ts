import { jsText } from './quoted.ts';
import { READING, type MqttSnippet } from './reading.ts';

/** A module for Node. It names no client id: with that of the device it would end the connection which the device has. */
export const nodeMqttSnippet: MqttSnippet = ({ host, port, authority }, { device_id, device_token }) =>
  `// Node 18 or newer, with the package mqtt ("npm install mqtt"): save it as reading.mjs, then "node reading.mjs".
${authority === null ? '' : "import { readFileSync } from 'node:fs';\n"}import mqtt from 'mqtt';

const DEVICE_ID = ${jsText(device_id)};
const DEVICE_TOKEN = ${jsText(device_token)};

const client = await mqtt.connectAsync({
  protocol: ${authority === null ? "'mqtt'" : "'mqtts'"},
  host: ${jsText(host)},
  port: ${port},
  username: DEVICE_ID,
  password: DEVICE_TOKEN,
  reconnectPeriod: 0,${authority === null ? '' : `\n  ca: readFileSync(${jsText(authority)}),`}
});
await client.publishAsync(DEVICE_ID, JSON.stringify(${READING}), { qos: 1 });
await client.endAsync();
console.log('Stored.');
`;
