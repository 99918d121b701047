import { errorCode } from '../disk/errors.ts';
import { LIMITS, MAX_HEADERS } from './guard.ts';

/** Meanings of the codes of Node's parser (llhttp), for the sender. */
const FAULTS: Readonly<Record<string, string>> = {
  HPE_INVALID_URL: 'its path holds a character that must be written as %XX',
  HPE_INVALID_HEADER_TOKEN: 'a header holds a character that headers may not hold',
  HPE_INVALID_CONTENT_LENGTH: 'Content-Length must be a whole number of bytes',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'Content-Length may stand there once, and not beside Transfer-Encoding',
  HPE_INVALID_TRANSFER_ENCODING: 'Transfer-Encoding may only be "chunked", and not beside Content-Length',
  HPE_INVALID_CHUNK_SIZE: 'a chunk of the body does not begin with its size',
};

const REQUEST_LINE = /^\S+ \S+ HTTP\/1\.[01]\r?\n/;

/** Returns the message for a request that Node's parser refused; null for what is no HTTP at all. */
export function parseErrorMessage(error: Error & { readonly rawPacket?: unknown }): string | null {
  const code = errorCode(error);
  if (code === 'HPE_HEADER_OVERFLOW')
    return `The request line and its headers must be at most ${LIMITS.maxHeaderSize} bytes and at most ${MAX_HEADERS} headers.`;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time.';
  if (!code?.startsWith('HPE_')) return null;
  const { rawPacket } = error;
  const words = rawPacket instanceof Uint8Array ? Buffer.from(rawPacket).toString('latin1') : '';
  if (code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(words))
    return 'The method is not known: it must be GET, HEAD, POST, PATCH or DELETE, in capital letters.';
  const fault = FAULTS[code];
  return fault === undefined ? 'The request is not HTTP/1.1.' : `The request is not HTTP/1.1: ${fault}.`;
}
