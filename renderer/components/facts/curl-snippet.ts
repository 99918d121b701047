import type { ServiceStatus } from '#shared/operations/service.ts';

/**
 * A command that stores one reading, as pasted into a POSIX shell. The plain door needs no certificate; over HTTPS
 * curl is told the service's own authority.
 */
export function curlSnippet(
  { base_url, http_url, ca_file }: Pick<ServiceStatus, 'base_url' | 'http_url' | 'ca_file'>,
  device_token: string,
): string {
  const root = http_url ?? base_url;
  const trust = root.startsWith('https:') && ca_file !== null ? [`--cacert ${quoted(ca_file)}`] : [];
  return [
    `curl ${quoted(`${root.replace(/\/$/, '')}/integrations/http`)}`,
    ...trust,
    `-H ${quoted(`Authorization: Bearer ${device_token}`)}`,
    `-H 'Content-Type: application/json'`,
    `-d '{"temperature": 21.5}'`,
  ].join(' \\\n  ');
}

/** Text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
