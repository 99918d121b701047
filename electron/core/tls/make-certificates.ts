// Before @peculiar/x509, which registers its classes by it.
import 'reflect-metadata';
import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { systemRandom } from '../base/system-random.ts';
import { AUTHORITY, DAY_MS, SERVER_DAYS, type KeyPair } from './certificates.ts';
import { constraintsFor } from './constraints.ts';
import type { OwnNames } from './names.ts';

/* What makes certificates is a room of its own, loaded when one is to be made: it takes as long as the rest of a start. */

/** A new one has to be trusted by everyone again, about a year before this one ends. */
const AUTHORITY_DAYS = 1096;
/** Clocks of devices in the field may be a little behind. */
const BACKDATED_MS = 3_600_000;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * Makes a CA that can sign certificates of servers with private names or these of the machine (constraints.ts), and no
 * further CAs. `now` in ms.
 */
export async function createAuthority(names: OwnNames, now: number): Promise<KeyPair> {
  const keys = await generateKeys();
  const constraints = constraintsFor(names);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    // A name of its own, so that one which a device still trusts from before is not taken for it.
    name: `CN=${AUTHORITY} ${systemRandom.bytes(4).toString('hex')}, O=Fieldbench`,
    serialNumber: serialNumber(),
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(now + AUTHORITY_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.Extension(constraints.id, false, constraints.value),
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

const generateKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** 126 random bits, positive and without leading zeros as RFC 5280, 4.1.2.2 wants it. */
function serialNumber(): string {
  const bytes = systemRandom.bytes(16);
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
