import { errorCode } from '../disk/errors.ts';
import { STRANGERS } from '../tls/certificate-codes.ts';
import { PinError } from './trust.ts';

/** A service elsewhere could not be asked; the message is for people, and names it. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing answers there: is the service running, and is the port right?',
  ECONNRESET: 'The connection was cut: is it a service that speaks HTTPS?',
  EPROTO: 'What answers there does not speak HTTPS.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'What answers there does not speak HTTPS.',
  ENOTFOUND: 'No machine of that name is known here.',
  EAI_AGAIN: 'The name cannot be looked up: is this machine connected to the network?',
  ENETUNREACH: 'The network does not lead there.',
  EHOSTUNREACH: 'The network does not lead there.',
  ETIMEDOUT: 'It does not answer.',
  CERT_HAS_EXPIRED: 'Its certificate has expired. Have it renewed there, or check the clock of this machine.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet: check the clocks of both machines.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name than this address.',
};

const STRANGER =
  'Its certificate is not one that is trusted here, so nothing was sent. If it was made anew there, compare its fingerprint and trust it again.';

/** Returns the error of a failed connection to `url`, in words for people. */
export function remoteError(url: string, error: unknown): RemoteError {
  if (error instanceof RemoteError) return error;
  return new RemoteError(`${url} cannot be reached. ${wordsOf(error)}`, { cause: error });
}

function wordsOf(error: unknown): string {
  // Of a name with several addresses, each failed; the first says enough.
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  if (error instanceof PinError) return STRANGER;
  const code = errorCode(error) ?? '';
  return STRANGERS.has(code) ? STRANGER : (WORDS[code] ?? `(${code || String(error)})`);
}
