import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { badRequest } from '../base/errors.ts';
import type { Address } from './address.ts';

/* Whom a connection to another service believes. It is decided before anything secret is sent, and never switched off. */

/** TLS options that verify the server; none for plain HTTP. */
export type Trust = Pick<
  ConnectionOptions,
  'ca' | 'allowPartialTrustChain' | 'checkServerIdentity' | 'rejectUnauthorized' | 'servername'
>;

/**
 * Makes the checks of a connection. Without a certificate (null) it is what this machine trusts anyway. With one, it is
 * believed in place of all others. Where the server itself has it, that is enough, whatever it names: certificates that
 * servers sign for themselves often say that they are an authority (`openssl req -x509`). Of an authority any other
 * certificate it signed does, too, as long as that names the host.
 */
export function trustOf({ host }: Address, certificate: string | null): Trust {
  // Names alone may be asked for (RFC 6066, 3).
  const strict = { rejectUnauthorized: true, ...(isIP(host) === 0 && { servername: host }) };
  if (certificate === null) return strict;
  const pinned = new X509Certificate(certificate);
  return {
    ...strict,
    ca: [certificate],
    // It is trusted by itself, without whoever signed it.
    ...(!pinned.ca && { allowPartialTrustChain: true }),
    checkServerIdentity(name, shown) {
      if (shown.fingerprint256 === pinned.fingerprint256) return undefined;
      return pinned.ca ? checkServerIdentity(name, shown) : new PinError();
    },
  };
}

/** The server's certificate is not the pinned one. */
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
