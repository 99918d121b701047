import { parseJson } from '#shared/values/json.ts';
import type { Micros } from '#shared/values/time.ts';
import type { StoredRecord } from '../store/store.ts';
import { toRecord } from './to-record.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The records of a short JSON body, such as most devices send: one object of some hundred bytes, for which a reader of
 * pieces costs more than all the rest of it. Null for whatever it does not read: what is wrong with that, if anything, the
 * reader of pieces says.
 */
export function readAtOnce(bytes: Uint8Array, received: Micros): readonly StoredRecord[] | null {
  try {
    const value = parseJson(decoder.decode(bytes));
    if (!Array.isArray(value)) return [toRecord(value, received)];
    return value.length === 0 ? null : value.map((record) => toRecord(record, received));
  } catch {
    return null;
  }
}
