import { shellWord } from './quoted.ts';
import { READING, type HttpSnippet } from './reading.ts';

/** A command that stores one reading, as pasted into a POSIX shell. */
export const curlSnippet: HttpSnippet = ({ url, authority }, { device_token }) =>
  [
    `curl ${shellWord(url)}`,
    ...(authority === null ? [] : [`--cacert ${shellWord(authority)}`]),
    `-H ${shellWord(`Authorization: Bearer ${device_token}`)}`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(READING)}`,
  ].join(' \\\n  ');
