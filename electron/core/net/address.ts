import type { Socket } from 'node:net';
import { isLoopback, netOfIpv6 } from '../tls/names.ts';

/** An address as a Host header says it; sockets that take both families write IPv4 ones as IPv6. */
export function hostOfAddress(address: string): string {
  const ipv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return ipv4 ?? (address.includes(':') ? `[${address}]` : address);
}

/**
 * Returns the peer that an address counts for; null where connections are not limited. This machine's own programs are not:
 * a rig simulates a thousand devices. Of IPv6, one machine has a whole /64.
 */
export function peerOfAddress(address: string): string | null {
  const host = hostOfAddress(address);
  if (isLoopback(host) || address === '::1') return null;
  return address.includes(':') && host.startsWith('[') ? netOfIpv6(address) : host;
}

/** Identifies an open connection by its two ends: TLS has a socket of its own over the one below, with the same ends. */
export const endsOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress ?? ''} ${remotePort ?? 0}`;
