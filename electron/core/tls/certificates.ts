// Before @peculiar/x509, which registers its classes by it.
import 'reflect-metadata';
import { createPrivateKey, KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { constraintsFor } from './constraints.ts';
import type { OwnNames } from './names.ts';

/** A certificate and its private key (PKCS #8), both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
/** A new one has to be trusted by everyone again, about a year before this one ends. */
const AUTHORITY_DAYS = 1096;
/** Browsers and Apple's TLS take server certificates of at most 398 days. */
const SERVER_DAYS = 397;
/** Clocks of devices in the field may be a little behind. */
const BACKDATED_MS = 3_600_000;

const AUTHORITY = 'Fieldbench CA';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * Makes a CA that can sign certificates of servers with private names or these of the machine (constraints.ts), and no
 * further CAs. `now` in ms.
 */
export async function createAuthority(names: OwnNames, now: number): Promise<KeyPair> {
  const keys = await generateKeys();
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    // A name of its own, so that one which a device still trusts from before is not taken for it.
    name: `CN=${AUTHORITY} ${randomBytes(4).toString('hex')}, O=Fieldbench`,
    serialNumber: serialNumber(),
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(now + AUTHORITY_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      constraintsFor(names),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: pemOf(cert), key: keyText(keys.privateKey) };
}

/** Makes a server certificate for these names, signed by the authority. `now` in ms. */
export async function issueServer(authority: KeyPair, { dns, ips }: OwnNames, now: number): Promise<KeyPair> {
  const issuer = new x509.X509Certificate(authority.cert);
  const keys = await generateKeys();
  const cert = await x509.X509CertificateGenerator.create({
    subject: 'CN=Fieldbench, O=Fieldbench',
    issuer: issuer.subjectName,
    serialNumber: serialNumber(),
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(now - BACKDATED_MS + SERVER_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    signingKey: await signingKey(authority),
    publicKey: keys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...dns.map((value) => ({ type: 'dns', value }) as const),
        ...ips.map((value) => ({ type: 'ip', value }) as const),
      ]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { cert: pemOf(cert), key: keyText(keys.privateKey) };
}

/** Whether the key is that of the certificate. */
export function isPair({ cert, key }: KeyPair): boolean {
  const read = readCertificate(cert);
  return read !== null && matches(read, key);
}

/** Whether the pair is one, and its certificate holds from now until `daysLeft` later. `now` in ms. */
export const isGood = (pair: KeyPair, daysLeft: number, now: number): boolean =>
  isPair(pair) && lasts(pair.cert, daysLeft, now);

/** From when to when a certificate (PEM) holds, in days, for people to read. */
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

/** Days that a server certificate is made for: an authority must hold at least as long. */
export const AUTHORITY_DAYS_LEFT = SERVER_DAYS;

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

const generateKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** 126 random bits, positive and without leading zeros as RFC 5280, 4.1.2.2 wants it. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

const pemOf = (cert: x509.X509Certificate) => `${cert.toString('pem')}\n`;

/** KeyObject.toCryptoKey would do it, but is younger than Node 20. */
function signingKey({ key }: KeyPair): Promise<webcrypto.CryptoKey> {
  const bytes = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', bytes, ALGORITHM, false, ['sign']);
}

const keyText = (key: webcrypto.CryptoKey) =>
  KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();
