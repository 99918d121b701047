import { StoreError } from '../errors.ts';
import { errorCode } from './files.ts';

/** What a read was doing, for `storeError`. */
export const READING = 'reading stored records';

/**
 * Says for a user why a file operation of the log failed. What already is a StoreError stays as it is; what no file
 * operation throws is a bug, and is thrown again.
 */
export function storeError(error: unknown, doing: string): StoreError {
  if (error instanceof StoreError) return error;
  if (errorCode(error) === undefined) throw error;
  const options = { cause: error };
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new StoreError(
        'disk-full',
        `The disk is full: ${doing} failed. Nothing stored before is lost. Free some space and try again.`,
        options,
      );
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new StoreError(
        'read-only',
        `The data folder cannot be written: ${doing} failed. Give this user permission to write to it.`,
        options,
      );
    default: {
      const reason = error instanceof Error ? error.message : String(error);
      return new StoreError('io', `The disk failed: ${doing} failed (${reason}).`, options);
    }
  }
}

export function poisoned(cause: unknown): StoreError {
  return new StoreError(
    'poisoned',
    'The disk did not confirm what was written, so nothing more is stored until the service is restarted. ' +
      'Records acknowledged before are safe; check the disk.',
    { cause },
  );
}

export function newerFormat(what: string, found: number, known: number): StoreError {
  return new StoreError(
    'newer-format',
    `${what} was written by a newer Fieldbench (format ${found}, this one knows ${known}). Update Fieldbench to open it; nothing was changed.`,
  );
}

export function closed(): StoreError {
  return new StoreError('closed', 'The record store is closed.');
}

export function damagedWhileReading(): StoreError {
  return new StoreError(
    'damaged',
    'Some stored records turned out to be damaged on the disk and were left out. Read again to get all others.',
  );
}

/** Thrown while reading by a segment whose index is not what its CRC says. */
export class DamagedIndex extends Error {
  override readonly name = 'DamagedIndex';
  readonly run: object;

  constructor(run: object, options: ErrorOptions) {
    super('The index of a file of records is damaged.', options);
    this.run = run;
  }
}

/** Thrown while reading by a run whose block is not what its CRC says; the device log sets the block aside. */
export class DamagedBlock extends Error {
  override readonly name = 'DamagedBlock';
  readonly run: object;
  readonly block: number;

  constructor(run: object, block: number) {
    super('A block of records is damaged.');
    this.run = run;
    this.block = block;
  }
}
