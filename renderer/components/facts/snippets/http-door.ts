import type { ServiceStatus } from '#shared/operations/service/service.ts';

/** HTTP addresses of the service, of its status. */
export type HttpAddresses = Pick<
  ServiceStatus,
  'base_url' | 'http_url' | 'network_hosts' | 'ca_file' | 'ca_certificate'
>;

/** An HTTP door, as a client is told of it. */
export interface HttpDoor {
  /** Where records are posted to. */
  readonly url: string;
  /** Over TLS, which authority to trust: for programs of this machine its file, for devices its certificate (PEM). */
  readonly authority: string | null;
  /** Whether other machines reach it. */
  readonly isOnNetwork: boolean;
}

/**
 * Returns the HTTP address for a program of this machine: plain where that is open. Null where it could not trust the
 * certificate.
 */
export function httpForPrograms({ base_url, http_url, ca_file }: HttpAddresses): HttpDoor | null {
  if (http_url !== null) return doorAt(http_url, null, false);
  return base_url.startsWith('https:') && ca_file === null ? null : doorAt(base_url, ca_file, false);
}

/** Returns the HTTP address for a device: over TLS where the network reaches it, else the one of this machine. */
export function httpForDevices(addresses: HttpAddresses): HttpDoor | null {
  const { http_url, network_hosts, ca_certificate } = addresses;
  if (network_hosts.length > 0 && ca_certificate !== null)
    return doorAt(networkBase(addresses), ca_certificate, true);
  return http_url === null
    ? ca_certificate === null
      ? null
      : doorAt(addresses.base_url, ca_certificate, false)
    : doorAt(http_url, null, false);
}

/** The base URL as other machines know it, where they reach it. */
export function networkBase({
  base_url,
  network_hosts: [host],
}: Pick<HttpAddresses, 'base_url' | 'network_hosts'>): string {
  if (host === undefined) return base_url;
  return `https://${host.includes(':') ? `[${host}]` : host}:${base_url.slice(base_url.lastIndexOf(':') + 1)}`;
}

const doorAt = (root: string, authority: string | null, isOnNetwork: boolean): HttpDoor => ({
  url: `${root.replace(/\/$/, '')}/integrations/http`,
  authority,
  isOnNetwork,
});
