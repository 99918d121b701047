import { StoreError } from '../errors.ts';

/** What a read was doing, for `diskError`. */
export const READING = 'reading stored records';

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
