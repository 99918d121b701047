import { hostOfAddress } from './address.ts';
import type { OwnNames } from '../tls/names.ts';

/** Whether a host, as a Host header says it without its port, is this machine. */
export type OwnHosts = (host: string) => boolean;

/**
 * Returns a check of hosts. `names` returns the present names of this machine; it is called again for an unknown host, since
 * networks come and go. `renamed` is called when that found one.
 */
export function createOwnHosts(names: () => OwnNames, renamed: () => void = () => {}): OwnHosts {
  let own = hostsOf(names());
  return (host) => {
    if (own.has(host)) return true;
    own = hostsOf(names());
    if (!own.has(host)) return false;
    renamed();
    return true;
  };
}

const hostsOf = ({ dns, ips }: OwnNames): ReadonlySet<string> => new Set([...dns, ...ips.map(hostOfAddress)]);
