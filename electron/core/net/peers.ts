import { BlockList, isIP } from 'node:net';
import { peerOfAddress } from './address.ts';

/** Connections that one peer may hold open at a door (docs/running.md, "Limits"). */
const MOST_OF_PEER = 256;

/** How many connections one peer may have, whatever else is limited. */
export interface PeerLimits {
  readonly mostOfPeer: number;
  /** Returns the peer that an address counts for; null where connections are not limited. */
  readonly peerOf: (address: string) => string | null;
}

/** Returns the limits of peers, of which trusted proxies have none; each is an address, or a network as `10.0.0.0/24`. */
export function createPeerLimits(trustedProxies: readonly string[] = []): PeerLimits {
  const trusted = new BlockList();
  for (const proxy of trustedProxies) {
    const [address = '', bits] = proxy.split('/');
    trusted.addSubnet(address, bits === undefined ? bitsOf(address) : Number(bits), familyOf(address));
  }
  return {
    mostOfPeer: MOST_OF_PEER,
    // A list knows IPv4 addresses that are written as IPv6, too.
    peerOf: (address) => (trusted.check(address, familyOf(address)) ? null : peerOfAddress(address)),
  };
}

/** Whether a text is an address or a network of one of both families. */
export function isAddressOrNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(address) !== 0 && (bits === undefined || Number(bits) <= bitsOf(address));
}

const bitsOf = (address: string) => (isIP(address) === 6 ? 128 : 32);
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
