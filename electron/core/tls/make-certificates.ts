import { createHash, createPrivateKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { systemRandom } from '../base/system-random.ts';
import { AUTHORITY, DAY_MS, SERVER_DAYS, type KeyPair } from './certificates.ts';
import { constraintsFor } from './constraints.ts';
import type { OwnNames } from './names.ts';

/* What makes certificates is a module of its own, loaded when one is to be made: RFC 5280, as asn1-x509 has it. */

/** A new one has to be trusted by everyone again, about a year before this one ends. */
const AUTHORITY_DAYS = 1096;
/** Clocks of devices in the field may be a little behind. */
const BACKDATED_MS = 3_600_000;

/** RFC 5758, 3.2. */
const ECDSA_WITH_SHA256 = new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' });
/** RFC 4519, 2.3 and 2.19. */
const COMMON_NAME = '2.5.4.3';
const ORGANISATION = '2.5.4.10';

/**
 * Makes a CA that can sign certificates of servers with private names or these of the machine (constraints.ts), and no
 * further CAs. `now` in ms.
 */
export function createAuthority(names: OwnNames, now: number): KeyPair {
  const { key, info } = generateKeys();
  // A name of its own, so that one which a device still trusts from before is not taken for it.
  const subject = nameOf(`${AUTHORITY} ${systemRandom.bytes(4).toString('hex')}`);
  const cert = signed(key, {
    issuer: subject,
    subject,
    validity: new Validity({
      notBefore: new Date(now - BACKDATED_MS),
      notAfter: new Date(now + AUTHORITY_DAYS * DAY_MS),
    }),
    subjectPublicKeyInfo: info,
    extensions: new Extensions([
      critical(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 })),
      critical(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign)),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_nameConstraints, constraintsFor(names)),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(identifierOf(info))),
    ]),
  });
  return { cert, key };
}

/** Makes a server certificate for these names, signed by the authority. `now` in ms. */
export function issueServer(authority: KeyPair, { dns, ips }: OwnNames, now: number): KeyPair {
  const { raw } = new X509Certificate(authority.cert);
  const issuer = AsnConvert.parse(raw, Certificate).tbsCertificate;
  const { key, info } = generateKeys();
  const cert = signed(authority.key, {
    issuer: issuer.subject,
    subject: nameOf('Fieldbench'),
    validity: new Validity({
      notBefore: new Date(now - BACKDATED_MS),
      notAfter: new Date(now - BACKDATED_MS + SERVER_DAYS * DAY_MS),
    }),
    subjectPublicKeyInfo: info,
    extensions: new Extensions([
      critical(id_ce_basicConstraints, new BasicConstraints()),
      critical(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature)),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(
        id_ce_subjectAltName,
        new SubjectAlternativeName([
          ...dns.map((dNSName) => new GeneralName({ dNSName })),
          ...ips.map((iPAddress) => new GeneralName({ iPAddress })),
        ]),
      ),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(identifierOf(info))),
      extension(
        id_ce_authorityKeyIdentifier,
        new AuthorityKeyIdentifier({
          keyIdentifier: new KeyIdentifier(identifierOf(issuer.subjectPublicKeyInfo)),
        }),
      ),
    ]),
  });
  return { cert, key };
}

/** A new pair: the private key as PEM (PKCS #8), the public one as certificates have it. */
function generateKeys(): { readonly key: string; readonly info: SubjectPublicKeyInfo } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    info: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
  };
}

/** Signs a certificate with the private key (PEM) of its issuer; returns it as PEM. */
function signed(key: string, fields: Partial<TBSCertificate>): string {
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature: ECDSA_WITH_SHA256,
    ...fields,
  });
  const content = Buffer.from(AsnConvert.serialize(tbsCertificate));
  const signature = sign('sha256', content, createPrivateKey(key));
  const cert = AsnConvert.serialize(
    new Certificate({
      tbsCertificate,
      signatureAlgorithm: ECDSA_WITH_SHA256,
      signatureValue: arrayOf(signature),
    }),
  );
  return new X509Certificate(Buffer.from(cert)).toString();
}

const extension = (extnID: string, value: unknown, isCritical = false) =>
  new Extension({ extnID, critical: isCritical, extnValue: new OctetString(AsnConvert.serialize(value)) });

const critical = (id: string, value: unknown) => extension(id, value, true);

/** 126 random bits, positive and without leading zeros as RFC 5280, 4.1.2.2 wants it. */
function serialNumber(): ArrayBuffer {
  const bytes = systemRandom.bytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return arrayOf(bytes);
}

/** Returns the identifier of a key: RFC 5280, 4.2.1.2, (1). */
const identifierOf = ({ subjectPublicKey }: SubjectPublicKeyInfo) =>
  createHash('sha1').update(Buffer.from(subjectPublicKey)).digest();

/** A name of PrintableStrings: X.680, 41.4. */
const nameOf = (commonName: string) =>
  new Name(
    [
      [COMMON_NAME, commonName],
      [ORGANISATION, 'Fieldbench'],
    ].map(
      ([type = '', printableString = '']) =>
        new RelativeDistinguishedName([
          new AttributeTypeAndValue({ type, value: new AttributeValue({ printableString }) }),
        ]),
    ),
  );

/** The bytes alone, without the rest of the memory that a Buffer shares. */
const arrayOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
