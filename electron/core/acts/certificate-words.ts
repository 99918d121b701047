import { STRANGERS } from '../tls/certificate-codes.ts';

const WORDS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Its certificate has expired: have it renewed, or check the clock of this machine.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet: check the clocks of both machines.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name than this address.',
  EPROTO: 'It does not speak TLS there.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'It does not speak TLS there.',
};
const STRANGER =
  'Its certificate is of nobody whom this service trusts: start the service with NODE_EXTRA_CA_CERTS as the file of its authority, or give it a certificate of a public one.';

/** Returns why a handshake of TLS failed, for people; null where the code says no such thing. Nothing was sent then. */
export const certificateWords = (code: string | undefined): string | null =>
  code === undefined ? null : STRANGERS.has(code) ? STRANGER : (WORDS[code] ?? null);
