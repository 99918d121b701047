import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../base/errors.ts';
import { isReceipt } from '../store/receipt.ts';

/** A string of RFC 8941: visible ASCII and blanks in quotes, a quote or backslash within behind a backslash. */
const STRING = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;

/**
 * The receipt that an Idempotency-Key header carries (draft-ietf-httpapi-idempotency-key-header); undefined without one.
 * The draft has a string in quotes; bare keys, which many clients send, are taken as well. Throws a 400 Refusal.
 */
export function receiptOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, quoted] = STRING.exec(header) ?? [];
  const key = quoted?.replaceAll(/\\(.)/g, '$1') ?? header;
  const isBare = quoted === undefined;
  if (isReceipt(key) && !(isBare && key.startsWith('"'))) return key;
  throw badRequest(
    `Idempotency-Key must be 1 to 255 visible ASCII characters, bare or as a string in quotes, got ${quote(header)}.`,
  );
}
