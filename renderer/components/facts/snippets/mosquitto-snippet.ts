import { shellWord } from './quoted.ts';
import { READING, type MqttSnippet } from './reading.ts';

/**
 * A command for a POSIX shell. It names no client id: with that of the device it would end the connection which the
 * device has.
 */
export const mosquittoSnippet: MqttSnippet = ({ host, port, authority }, { device_id, device_token }) =>
  [
    `mosquitto_pub -h ${shellWord(host)} -p ${port}`,
    ...(authority === null ? [] : [`--cafile ${shellWord(authority)}`]),
    `-u ${shellWord(device_id)}`,
    `-P ${shellWord(device_token)}`,
    `-t ${shellWord(device_id)} -q 1`,
    `-m ${shellWord(READING)}`,
  ].join(' \\\n  ');
