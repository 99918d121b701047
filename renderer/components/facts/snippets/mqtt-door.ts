import type { ServiceStatus } from '#shared/operations/service/service.ts';

/** MQTT addresses of the service, of its status. */
export type MqttAddresses = Pick<
  ServiceStatus,
  'mqtt_url' | 'mqtts_url' | 'network_hosts' | 'ca_file' | 'ca_certificate'
>;

/** An MQTT door, as a client is told of it. */
export interface MqttDoor {
  readonly host: string;
  readonly port: number;
  /** Over TLS, which authority to trust: for programs of this machine its file, for devices its certificate (PEM). */
  readonly authority: string | null;
}

/** Returns the MQTT address for a program of this machine: plain where that is open. Null for none that it could use. */
export const doorForPrograms = ({ mqtt_url, mqtts_url, ca_file }: MqttAddresses): MqttDoor | null =>
  doorAt(mqtt_url, null) ?? (ca_file === null ? null : doorAt(mqtts_url, ca_file));

/** Returns the MQTT address for a device: over TLS where that is open, since only that is reached over the network. */
export function doorForDevices(addresses: MqttAddresses): MqttDoor | null {
  const { mqtt_url, ca_certificate } = addresses;
  return (
    (ca_certificate === null ? null : doorAt(networkUrl(addresses), ca_certificate)) ?? doorAt(mqtt_url, null)
  );
}

/** The address of the door over TLS as other machines know it, where they reach it. */
export function networkUrl({
  mqtts_url,
  network_hosts,
}: Pick<MqttAddresses, 'mqtts_url' | 'network_hosts'>): string | null {
  const [host] = network_hosts;
  if (mqtts_url === null || host === undefined) return mqtts_url;
  return `mqtts://${host.includes(':') ? `[${host}]` : host}:${mqtts_url.slice(mqtts_url.lastIndexOf(':') + 1)}`;
}

/** Whether only this machine can reach it. */
export const isOfThisMachine = ({ host }: MqttDoor): boolean => /^(127\.|::1$|localhost$)/.test(host);

function doorAt(url: string | null, authority: string | null): MqttDoor | null {
  // Not every browser takes apart an address whose scheme it does not know.
  const [, bracketed, bare, port] = /^mqtts?:\/\/(?:\[(.+)\]|([^:/]+)):(\d+)/.exec(url ?? '') ?? [];
  const host = bracketed ?? bare;
  return host === undefined ? null : { host, port: Number(port), authority };
}
