import { hostname, networkInterfaces } from 'node:os';
import { isIP } from 'node:net';

/** Names of this machine, in its certificate and in Host headers. Lower case. */
export interface OwnNames {
  readonly dns: readonly string[];
  readonly ips: readonly string[];
}

/** A name as DNS and certificates take it; some systems allow others for the machine. */
const DNS_NAME = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/;

/**
 * `host` is the configured one, `publicUrl` the address that a balancer has. Addresses come and go with networks, so ask
 * again rather than keep the answer.
 */
export function ownNames(host: string, publicUrl: string | null = null): OwnNames {
  const addresses = Object.values(networkInterfaces())
    .flatMap((addressesOfOne) => addressesOfOne ?? [])
    .map(({ address }) => address)
    .filter((address) => !isLinkLocal(address));
  const atBalancer = publicUrl === null ? [] : [hostIn(publicUrl)];
  const names = ['localhost', '127.0.0.1', '::1', host, hostname(), ...atBalancer, ...addresses].map((name) =>
    name.toLowerCase(),
  );
  const own = [...new Set(names)].filter((name) => !isWildcard(name));
  return {
    dns: own.filter((name) => isIP(name) === 0 && DNS_NAME.test(name)),
    ips: own.filter((name) => isIP(name) !== 0),
  };
}

/** IPv6 stands in brackets in a URL. */
const hostIn = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** Link-local IPv6 addresses need a zone, which neither a certificate nor a URL of a browser can carry. */
const isLinkLocal = (address: string) => /^fe[89ab]/i.test(address);

export const isWildcard = (host: string) => host === '0.0.0.0' || host === '::';

/** Whether only this machine can reach what listens there. */
export const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** A host as URLs write it; a wildcard becomes the loopback address that it includes. */
export function urlHost(host: string): string {
  if (isWildcard(host)) return host === '::' ? '[::1]' : '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Returns the addresses for other machines of a listener on `host`, IPv4 first; empty where none reaches it. */
export function networkHosts(host: string): string[] {
  if (isLoopback(host)) return [];
  if (!isWildcard(host)) return [host];
  const others = ownNames(host).ips.filter((ip) => !isLoopback(ip));
  const ofIpv4 = others.filter((ip) => isIP(ip) === 4);
  return host === '::' ? [...ofIpv4, ...others.filter((ip) => isIP(ip) === 6)] : ofIpv4;
}

/** Bits of an IPv6 address that are its network's: the others its machine chooses, and often anew every day (RFC 8981). */
const IPV6_NET_BITS = 64;

/** The network of an IPv6 address: `2001:db8:0:1::/64`. */
export function netOfIpv6(address: string): string {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const parts = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${parts.slice(0, IPV6_NET_BITS / 16).join(':')}::/${IPV6_NET_BITS}`;
}
