import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isNetwork, isSpecial, listOf, unmapped } from './special-addresses.ts';

/** A webhook may not go there; the message is for people. */
export class UnreachedAddress extends Error {
  override readonly name = 'UnreachedAddress';
}

/** Addresses of a name, as the system finds them. */
export type FindAddresses = (host: string) => Promise<readonly LookupAddress[]>;

const findBySystem: FindAddresses = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

const NAME = /^(?:\*\.)?(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)*[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.?$/i;

/** Says what is wrong with one of `webhook_hosts`; null for nothing. */
export const faultOfHost = (host: string): string | null =>
  isNetwork(host) || (host.length <= 253 && NAME.test(host) && !/^[\d.]+$/.test(host))
    ? null
    : 'must be a name such as "hooks.example" or "*.example", an address, or a network such as "10.0.0.0/8"';

/** As `net.connect` says them. */
const FAMILIES: Readonly<Record<string, number>> = { '4': 4, '6': 6, IPv4: 4, IPv6: 6 };

/**
 * Where webhooks may go: to addresses that are not of this machine or its networks, and to what an administrator allows. Each
 * connection is judged by the address that it goes to.
 */
export class Reach {
  readonly #names: readonly string[];
  readonly #networks: BlockList;
  readonly #find: FindAddresses;
  readonly #own: () => readonly string[];

  /** `allowed`: `webhook_hosts` of the settings. */
  constructor(
    allowed: readonly string[],
    { find = findBySystem, own = ownNetworks }: { find?: FindAddresses; own?: () => readonly string[] } = {},
  ) {
    this.#names = allowed.filter((host) => !isNetwork(host)).map(plain);
    this.#networks = listOf(allowed.filter(isNetwork));
    this.#find = find;
    this.#own = own;
  }

  /** Throws UnreachedAddress where the host of an address is an IP address that may not be reached; a name is judged by `lookup`. */
  check(host: string): void {
    const address = addressIn(host);
    if (address !== null && !this.#may(host, address)) throw refused(host, address);
  }

  /** Finds addresses of a name as `net.connect` asks for them; fails where one of them may not be reached. */
  readonly lookup: LookupFunction = (host, options, done) => {
    void callBack(this.#judged(host, options.family), (error, found) => {
      const [first] = found;
      if (error !== null || first === undefined) done(error, '');
      else if (options.all === true) done(null, [...found]);
      else done(null, first.address, first.family);
    });
  };

  /** Resolves with the addresses of a name, of a family where one is asked for. Rejects where one of all may not be reached. */
  async #judged(
    host: string,
    asked: number | 'IPv4' | 'IPv6' | undefined,
  ): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
    const found = await this.#find(host);
    const bad = found.find(({ address }) => !this.#may(host, address));
    if (bad !== undefined) throw refused(host, bad.address);
    const family = FAMILIES[String(asked)];
    const [first, ...others] = found.filter((each) => family === undefined || each.family === family);
    if (first === undefined) throw new UnreachedAddress(`"${host}" has no address.`);
    return [first, ...others];
  }

  #may(host: string, address: string): boolean {
    const name = plain(host);
    const isNamed = this.#names.some((allowed) =>
      allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed,
    );
    if (isNamed || isIn(this.#networks, address)) return true;
    return !isSpecial(address) && !isIn(listOf(this.#own()), address);
  }
}

/** Calls back with what a promise comes to. */
async function callBack(
  promise: Promise<readonly LookupAddress[]>,
  back: (error: NodeJS.ErrnoException | null, found: readonly LookupAddress[]) => void,
): Promise<void> {
  try {
    back(null, await promise);
  } catch (error) {
    back(error as NodeJS.ErrnoException, []);
  }
}

/** A name as it is compared: in lower case, without the point that ends it. */
const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** Returns the IP address that a host of a URL is; null of a name. */
function addressIn(host: string): string | null {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? null : bare;
}

function isIn(networks: BlockList, address: string): boolean {
  const bare = unmapped(address);
  const family = isIP(bare);
  return family !== 0 && networks.check(bare, family === 4 ? 'ipv4' : 'ipv6');
}

/** Addresses of this machine, with the networks that they are in. */
function ownNetworks(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ address, cidr }) => {
      const network = cidr ?? address;
      return isNetwork(network) ? [network] : [];
    }),
  );
}

const refused = (host: string, address: string) =>
  new UnreachedAddress(
    `${host === address ? address : `"${host}" is at ${address}, which`} is an address of this machine, of its networks or set apart; ` +
      'an administrator may allow it in the settings (webhook_hosts).',
  );
