import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { badRequest } from '../errors.ts';
import type { Address } from './address.ts';

/* Whom a connection to another service believes. It is decided before anything secret is sent, and never switched off. */

/** How a connection checks who answers; nothing for plain HTTP. */
export type Trust = Pick<
  ConnectionOptions,
  'ca' | 'allowPartialTrustChain' | 'checkServerIdentity' | 'rejectUnauthorized' | 'servername'
>;

/**
 * Makes the checks of a connection. Without a certificate (null) it is what this machine trusts anyway. An authority's
 * certificate is believed in place of all others, and the server's still has to name the host; any other certificate is
 * the server's own: exactly that one has to answer, whatever it names.
 */
export function trustOf({ host }: Address, certificate: string | null): Trust {
  // Names alone may be asked for (RFC 6066, 3).
  const strict = { rejectUnauthorized: true, ...(isIP(host) === 0 && { servername: host }) };
  if (certificate === null) return strict;
  const pinned = new X509Certificate(certificate);
  if (pinned.ca) return { ...strict, ca: [certificate] };
  return {
    ...strict,
    ca: [certificate],
    // It is trusted by itself, without whoever signed it.
    allowPartialTrustChain: true,
    checkServerIdentity: (_host, { fingerprint256 }) =>
      fingerprint256 === pinned.fingerprint256 ? undefined : new PinError(),
  };
}

/** Another certificate answers than the one that was trusted. */
export class PinError extends Error {
  override readonly name = 'PinError';

  constructor() {
    super('Another certificate answers than the one that is trusted here.');
  }
}

/** Reads one certificate; returns it as PEM. Throws a 400 Refusal where it is none; `name` is what it is called there. */
export function readCertificate(text: string, name = 'certificate'): string {
  try {
    return new X509Certificate(text).toString();
  } catch {
    throw badRequest(`${name} must be one certificate as PEM, as a service keeps it in tls/ca.pem`);
  }
}
