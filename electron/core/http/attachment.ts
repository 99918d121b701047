import { fileName } from '#shared/values/file-name.ts';

/**
 * `Content-Disposition` for a file about something of this name, in any characters (RFC 6266, 4.3): `filename*` carries
 * it in UTF-8, and `filename` what of it is plain ASCII, for the few clients that read no other.
 */
export function attachment(name: string, extension: string): string {
  const whole = fileName(name, extension);
  return `attachment; filename="${whole.replace(/[^\w. -]/g, '_')}"; filename*=UTF-8''${extended(whole)}`;
}

/** RFC 8187, 3.2.1: what encodeURIComponent leaves beyond attr-char is escaped too. */
function extended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
