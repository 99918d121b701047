import type { StoredRecord } from '../store/store.ts';
import type { Micros } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import { flatten } from './flatten.ts';
import { RecordFault, recordTime } from './record.ts';

/** One parsed JSON value as a record; `received` is its time where it has no `timestamp`. Throws RecordFault. */
export function toRecord(value: unknown, received: Micros): StoredRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RecordFault(`must be an object of keys and values, got ${quote(value)}`);
  const { keys, values } = flatten(value);
  if (keys.length === 0) throw new RecordFault('must hold at least one key with a value beside timestamp');
  const { timestamp = null } = value as { timestamp?: unknown };
  return { timestamp: timestamp === null ? received : recordTime(timestamp), received, keys, values };
}
