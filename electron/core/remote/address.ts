import { isIP } from 'node:net';
import { badRequest } from '../base/errors.ts';

/** Address of a service, as people write it. */
export interface Address {
  /** Without a slash at its end: "https://lab.example:7443". Paths of the document follow it. */
  readonly url: string;
  /** As the system resolves it: without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  /** Whether it is plain HTTP, which is for this machine alone. */
  readonly isPlain: boolean;
}

const SECURE_PORT = 443;
const PLAIN_PORT = 80;
const HAS_SCHEME = /^[a-z][\d+.a-z-]*:\/\//i;
const RULE = 'must be the address of a service, such as https://lab.example:7443';

/**
 * Reads an address; without a scheme it is one of HTTPS, and what the document's paths begin with may stand behind it.
 * Throws a 400 Refusal; `name` is what the address is called there.
 */
export function readAddress(text: string, name = 'address'): Address {
  const given = text.trim();
  const url = URL.parse(HAS_SCHEME.test(given) ? given : `https://${given}`);
  if (url === null || url.hostname === '') throw badRequest(`${name} ${RULE}, got "${given}"`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw badRequest(`${name} ${RULE}, got the scheme "${url.protocol.slice(0, -1)}"`);
  if (url.username !== '' || url.password !== '')
    throw badRequest(`${name} must hold no name or password: an API key signs in`);
  if (url.search !== '' || url.hash !== '') throw badRequest(`${name} must end before "?" and "#"`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isPlain = url.protocol === 'http:';
  if (isPlain && !isThisMachine(host))
    throw badRequest(
      `${name} must begin with https:// for another machine than this one: over http:// anybody between could read the API key, got "${given}"`,
    );
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v2$/, '');
  return {
    url: `${url.protocol}//${url.host}${path}`,
    host,
    port: url.port === '' ? (isPlain ? PLAIN_PORT : SECURE_PORT) : Number(url.port),
    isPlain,
  };
}

/** Whether what is sent to the host never leaves this machine. */
function isThisMachine(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1';
}
