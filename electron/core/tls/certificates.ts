import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { OwnNames } from './names.ts';

/** A certificate and its private key (PKCS #8), both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export const DAY_MS = 86_400_000;
/** Browsers and Apple's TLS take server certificates of at most 398 days. An authority must hold at least as long. */
export const SERVER_DAYS = 397;
/** Beginning of the names of authorities made here. */
export const AUTHORITY = 'Fieldbench CA';

/** Whether the key is that of the certificate. */
export function isPair({ cert, key }: KeyPair): boolean {
  const read = readCertificate(cert);
  return read !== null && matches(read, key);
}

/** Whether the pair is one, and its certificate holds from now until `daysLeft` later. `now` in ms. */
export const isGood = (pair: KeyPair, daysLeft: number, now: number): boolean =>
  isPair(pair) && lasts(pair.cert, daysLeft, now);

/** Returns the validity of a certificate (PEM), in days, for people to read. */
export function spanOf(cert: string): string {
  const { validFrom, validTo } = new X509Certificate(cert);
  const [from, to] = [validFrom, validTo].map((time) => new Date(time).toISOString().slice(0, 10));
  return `from ${from} to ${to}`;
}

/** Whether a certificate (PEM) holds from now until `daysLeft` later. `now` in ms. */
export function lasts(cert: string, daysLeft: number, now: number): boolean {
  const read = readCertificate(cert);
  if (!read) return false;
  return Date.parse(read.validFrom) <= now && Date.parse(read.validTo) - now >= daysLeft * DAY_MS;
}

/** Whether a certificate (PEM) is that of an authority that was made here. */
export const isOwnAuthority = (cert: string) =>
  readCertificate(cert)
    ?.subject.split('\n')
    .some((line) => line.startsWith(`CN=${AUTHORITY} `)) ?? false;

/** When a certificate (PEM) begins to hold, in ms; null where it is none. */
export function beginOf(cert: string): number | null {
  const read = readCertificate(cert);
  return read && Date.parse(read.validFrom);
}

/** Whether the authority (PEM) signed the server certificate, and that names all of these. */
export function covers(server: KeyPair, authority: string, { dns, ips }: OwnNames): boolean {
  const read = readCertificate(server.cert);
  const issuer = readCertificate(authority);
  if (!read || !issuer || !read.checkIssued(issuer) || !read.verify(issuer.publicKey)) return false;
  return (
    dns.every((name) => read.checkHost(name) !== undefined) &&
    ips.every((ip) => read.checkIP(ip) !== undefined)
  );
}

function readCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    // Cut or changed by hand: as good as none, so another one is made.
    return null;
  }
}

function matches(cert: X509Certificate, key: string): boolean {
  try {
    return cert.checkPrivateKey(createPrivateKey(key));
  } catch {
    // No key at all: as good as none.
    return false;
  }
}
