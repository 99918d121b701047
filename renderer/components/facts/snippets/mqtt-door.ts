import type { ServiceStatus } from '#shared/operations/service.ts';

/** Where the service takes MQTT, as its status says. */
export type MqttAddresses = Pick<ServiceStatus, 'mqtt_url' | 'mqtts_url' | 'ca_file' | 'ca_certificate'>;

/** An MQTT door, as a client is told of it. */
export interface MqttDoor {
  readonly host: string;
  readonly port: number;
  /** Over TLS, which authority to trust: for programs of this machine its file, for devices its certificate (PEM). */
  readonly authority: string | null;
}

/** What a program of this machine connects to: plain where that is open. Null where nothing is that it could use. */
export const doorForPrograms = ({ mqtt_url, mqtts_url, ca_file }: MqttAddresses): MqttDoor | null =>
  doorAt(mqtt_url, null) ?? (ca_file === null ? null : doorAt(mqtts_url, ca_file));

/** What a device connects to: over TLS where that is open, since only that is reached over the network. */
export const doorForDevices = ({ mqtt_url, mqtts_url, ca_certificate }: MqttAddresses): MqttDoor | null =>
  (ca_certificate === null ? null : doorAt(mqtts_url, ca_certificate)) ?? doorAt(mqtt_url, null);

/** Whether only this machine can reach it. */
export const isOfThisMachine = ({ host }: MqttDoor): boolean => /^(127\.|::1$|localhost$)/.test(host);

function doorAt(url: string | null, authority: string | null): MqttDoor | null {
  // Not every browser takes apart an address whose scheme it does not know.
  const [, bracketed, bare, port] = /^mqtts?:\/\/(?:\[(.+)\]|([^:/]+)):(\d+)/.exec(url ?? '') ?? [];
  const host = bracketed ?? bare;
  return host === undefined ? null : { host, port: Number(port), authority };
}
