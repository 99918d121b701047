/** Thrown while reading by a segment whose index is not what its CRC says. */
export class DamagedIndex extends Error {
  override readonly name = 'DamagedIndex';
  readonly run: object;

  constructor(run: object, options: ErrorOptions) {
    super('The index of a file of records is damaged.', options);
    this.run = run;
  }
}

/** Thrown while reading by a segment whose block is not what its CRC says; the device log sets the block aside. */
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
