import type { ServiceStatus } from '#shared/operations/service.ts';
import { shellWord } from './quoted.ts';
import { READING } from './reading.ts';

/**
 * A command that stores one reading, as pasted into a POSIX shell. The plain door needs no certificate; over HTTPS
 * curl is told the service's own authority.
 */
export function curlSnippet(
  { base_url, http_url, ca_file }: Pick<ServiceStatus, 'base_url' | 'http_url' | 'ca_file'>,
  device_token: string,
): string {
  const root = http_url ?? base_url;
  const trust = root.startsWith('https:') && ca_file !== null ? [`--cacert ${shellWord(ca_file)}`] : [];
  return [
    `curl ${shellWord(`${root.replace(/\/$/, '')}/integrations/http`)}`,
    ...trust,
    `-H ${shellWord(`Authorization: Bearer ${device_token}`)}`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(READING)}`,
  ].join(' \\\n  ');
}
