import { quote } from '#shared/values/validate.ts';
import { badRequest, StoreError, type Refusal } from '../base/errors.ts';

/** Distinct keys of one device (docs/running.md, "Limits"): what shows, draws or exports all of them stays quick. */
export const MOST_KEYS_OF_DEVICE = 4096;

/** A record brings a key that the device has no room for; none of its batch is stored. */
export class KeyLimitReached extends Error {
  override readonly name = 'KeyLimitReached';
  /** Of what was to be stored, counted from 0; null where it came packed. */
  readonly record: number | null;
  readonly key: string;
  readonly limit = MOST_KEYS_OF_DEVICE;

  constructor(record: number | null, key: string) {
    super(
      `a device holds at most ${MOST_KEYS_OF_DEVICE} distinct keys, and ${quote(key)} would be one more; ` +
        'put what varies into values, or delete records with keys that are no longer needed',
    );
    this.record = record;
    this.key = key;
  }
}

/** Returns the 400 for the sender of the records; it counts them from 1. */
export function keyLimitRefusal({ record, message }: KeyLimitReached): Refusal {
  return badRequest(record === null ? message : `record ${record + 1}: ${message}`);
}

/** Words for a failed read, for `diskError`. */
export const READING = 'reading stored records';

/** `what` begins the sentence; `found` and `known` are numbers of versions. */
export function newerFormat(what: string, found: number, known: number): StoreError {
  return new StoreError(
    'newer-format',
    `${what} was written by a newer Fieldbench (format ${found}, this one knows ${known}). Update Fieldbench to open it; nothing was changed.`,
  );
}

export function closed(): StoreError {
  return new StoreError('closed', 'The record store is closed.');
}

export function nameTaken(name: string): StoreError {
  return new StoreError(
    'io',
    `Records are kept under ${quote(name)} already; nothing was changed. Keep what is replaced under another name.`,
  );
}

export function notKept(name: string): StoreError {
  return new StoreError(
    'io',
    `No records are kept under ${quote(name)}, so nothing was put back or replaced.`,
  );
}

export function retired(): StoreError {
  return new StoreError('retired', 'The device has been deleted, so nothing more is stored for it.');
}

export function damagedWhileReading(): StoreError {
  return new StoreError(
    'damaged',
    'Some stored records turned out to be damaged on the disk and were left out. Read again to get all others.',
  );
}
