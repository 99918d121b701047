import type { DoorsNow } from '#shared/operations/service/doors.ts';

interface NetworkAddress {
  readonly label: string;
  readonly url: string;
}

/** An IPv6 address stands in brackets in a URL. */
const hostOf = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** The addresses that answer to the network while it is let in, in full. */
export function networkAddresses({
  hosts,
  https_port,
  mqtts_port,
}: Pick<DoorsNow, 'hosts' | 'https_port' | 'mqtts_port'>): readonly NetworkAddress[] {
  return hosts.flatMap((host) => [
    ...(https_port === null ? [] : [{ label: 'HTTPS', url: `https://${hostOf(host)}:${https_port}` }]),
    ...(mqtts_port === null
      ? []
      : [{ label: 'MQTT over TLS', url: `mqtts://${hostOf(host)}:${mqtts_port}` }]),
  ]);
}

/** Returns the doors that stay closed to other machines. */
export function staysShut({ http_port, mqtt_port, mqtts_port }: DoorsNow): readonly string[] {
  return [
    ...(http_port === null ? [] : [`plain HTTP (port ${http_port}), for this machine only`]),
    ...(mqtt_port === null ? [] : [`plain MQTT (port ${mqtt_port}), for this machine only`]),
    ...(mqtts_port === null ? ['MQTT over TLS, which has no port'] : []),
  ];
}
