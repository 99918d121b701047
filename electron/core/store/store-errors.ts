import { StoreError } from '../errors.ts';

/** What a read was doing, for `diskError`. */
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

export function retired(): StoreError {
  return new StoreError('retired', 'The device has been deleted, so nothing more is stored for it.');
}

export function damagedWhileReading(): StoreError {
  return new StoreError(
    'damaged',
    'Some stored records turned out to be damaged on the disk and were left out. Read again to get all others.',
  );
}
