import { STRANGERS } from '../tls/certificate-codes.ts';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing takes connections there.',
  ECONNRESET: 'It ended the connection.',
  EHOSTUNREACH: 'There is no way to its machine.',
  ENETUNREACH: 'There is no way to its network.',
  ENOTFOUND: 'Its name is not known.',
  EAI_AGAIN: 'Nobody answers who knows its name.',
  ETIMEDOUT: 'Its machine does not answer.',
  CERT_HAS_EXPIRED: 'Its certificate has expired: have it renewed, or check the clock of this machine.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet: check the clocks of both machines.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name than this address.',
  EPROTO: 'It does not speak TLS there.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'It does not speak TLS there.',
};
const STRANGER =
  'Its certificate is of nobody whom this service trusts: start the service with NODE_EXTRA_CA_CERTS as the file of its authority, or give it a certificate of a public one.';

/** Returns why there is no connection, or no handshake of TLS, for people; null where the code says no such thing. */
export const connectionWords = (code: string | undefined): string | null =>
  code === undefined ? null : STRANGERS.has(code) ? STRANGER : (WORDS[code] ?? null);
