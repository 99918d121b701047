import { X509Certificate } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  Certificate,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
import { netOfIpv6, type OwnNames } from './names.ts';

/*
 * Which names an authority may sign for (RFC 5280, 4.2.1.10). People put it where their browsers and phones trust it for
 * every site: whoever gets its key should be able to pass for a machine in a private network, and for no bank.
 */

/** Names that no public site has: RFC 6761, 6762, 8375, ICANN's "internal", and what home routers use. */
const PRIVATE_DOMAINS = ['localhost', 'local', 'lan', 'internal', 'home.arpa'];

/** Addresses of one machine, of private networks and of links: RFC 6890, 4193, 4291; 100.64/10 also of many VPNs. */
const PRIVATE_NETS = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/**
 * The extension of a new authority: private names and addresses, and of this machine's
 * own what lies outside of them. It is not critical, though RFC 5280 wants that: TLS for small devices (Mbed TLS, BearSSL)
 * refuses a critical extension that it does not know, and whoever checks these checks them either way.
 */
export function constraintsFor({ dns, ips }: OwnNames): NameConstraints {
  const own = createRanges(PRIVATE_DOMAINS, PRIVATE_NETS);
  const domains = [...PRIVATE_DOMAINS, ...dns.filter((name) => !own.includes(name))];
  const nets = [...PRIVATE_NETS, ...ips.filter((ip) => !own.includes(ip)).map(netOf)];
  const subtrees = [
    ...domains.map((dNSName) => new GeneralName({ dNSName })),
    ...[...new Set(nets)].map((iPAddress) => new GeneralName({ iPAddress })),
  ].map((base) => new GeneralSubtree({ base }));
  return new NameConstraints({ permittedSubtrees: new GeneralSubtrees(subtrees) });
}

/** Names that an authority may sign for. */
export interface Ranges {
  /** A DNS name or an address. */
  includes(name: string): boolean;
}

/** Returns the names that the authority (PEM) may sign for; null for any. */
export function rangesOf(authority: string): Ranges | null {
  const { tbsCertificate } = AsnConvert.parse(new X509Certificate(authority).raw, Certificate);
  const extension = tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_nameConstraints);
  if (!extension) return null;
  const { permittedSubtrees = [] } = AsnConvert.parse(extension.extnValue, NameConstraints);
  const bases = [...permittedSubtrees].map(({ base }) => base);
  return createRanges(
    bases.flatMap(({ dNSName }) => dNSName ?? []),
    bases.flatMap(({ iPAddress }) => iPAddress ?? []),
  );
}

function createRanges(domains: readonly string[], nets: readonly string[]): Ranges {
  const addresses = new BlockList();
  for (const net of nets) {
    const [address = '', bits] = net.split('/');
    addresses.addSubnet(address, Number(bits), familyOf(address));
  }
  return {
    includes: (name) =>
      isIP(name) === 0
        ? domains.some((domain) => name === domain || name.endsWith(`.${domain}`))
        : addresses.check(name, familyOf(name)),
  };
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The net of an address that an authority is given beyond the private ones. */
const netOf = (ip: string) => (isIP(ip) === 4 ? `${ip}/32` : netOfIpv6(ip));
