import { BlockList, isIP, isIPv4 } from 'node:net';

/*
 * Addresses that a webhook does not reach: those of this machine and its networks, and whatever IANA has set apart (RFC 6890, "IPv4 and
 * IPv6 Special-Purpose Address Registries"; RFC 5771 and RFC 4291 for multicast).
 */

const IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Within 2000::/3, which alone is given out for hosts that everybody reaches. */
const IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];
const IPV6_GLOBAL = '2000::/3';
/** IPv4 within IPv6: mapped (RFC 4291), and of NAT64 (RFC 6052). */
const CARRIES_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'];

const special = listOf([...IPV4, ...IPV6]);
const given = listOf([IPV6_GLOBAL]);
const carriers = listOf(CARRIES_IPV4);

/** Whether an IP address is one of those that are set apart, or carries one. True of what is no address. */
export function isSpecial(address: string): boolean {
  if (isIPv4(address)) return special.check(address, 'ipv4');
  const parts = isIP(address) === 6 ? wordsOf(address) : null;
  if (parts === null) return true;
  if (carriers.check(address, 'ipv6')) return special.check(ipv4In(parts), 'ipv4');
  return !given.check(address, 'ipv6') || special.check(address, 'ipv6');
}

/** Returns an address as IPv4 where it is one that IPv6 maps; else as it is. */
export function unmapped(address: string): string {
  const parts = isIP(address) === 6 ? wordsOf(address) : null;
  const isMapped = parts !== null && parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xff_ff;
  return isMapped ? ipv4In(parts) : address;
}

/** A list of networks, as `address/prefix` or an address alone. Throws for what is neither. */
export function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) addTo(list, network);
  return list;
}

/** Whether a text is a network, or an address. */
export function isNetwork(text: string): boolean {
  try {
    addTo(new BlockList(), text);
    return true;
  } catch {
    // Neither; which error Node has for it does not matter.
    return false;
  }
}

function addTo(list: BlockList, network: string): void {
  const [address = '', prefix] = network.split('/');
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most);
  if (family === 0 || !isPrefix || address.includes('%')) throw new TypeError(`"${network}" is no network`);
  list.addSubnet(address, prefix === undefined ? most : Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
}

/** The eight words of an IPv6 address; null of one with a zone, which is of this machine alone. */
function wordsOf(address: string): number[] | null {
  if (address.includes('%')) return null;
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text = dotted ? `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}` : address;
  const [before = '', behind] = text.split('::');
  const [first, last] = [words(before), words(behind ?? '')];
  const zeros = behind === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array.from({ length: zeros }, () => 0), ...last];
}

const hex = (high = '0', low = '0') => ((Number(high) << 8) | Number(low)).toString(16);
const words = (part: string) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)));

function ipv4In(all: readonly number[]): string {
  const [high = 0, low = 0] = all.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
