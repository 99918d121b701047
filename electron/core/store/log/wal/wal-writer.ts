import { allocate } from '../../blocks/codec/bytes.ts';
import type { Poison } from '../../../disk/poison.ts';
import type { NewEntry } from './new-entry.ts';
import type { UnitBytes } from './unit.ts';
import { ERASE, isDeletion } from './wal-entry.ts';
import { RESERVE_BYTES, WalFiles, type WalFile, type WalShared } from './wal-files.ts';
import { TERMINATOR_BYTES, UNIT_HEADER_BYTES } from './wal-format.ts';

/** The file grows by this, so that most units find their room allocated. */
const GROWTH_BYTES = 1 << 18;
const zeros = allocate(GROWTH_BYTES);

/**
 * Writes units to the file that the log goes on in, one at a time. A large one is written piece by piece by other threads;
 * it counts with its last byte, by its CRC.
 */
export class WalWriter {
  current: WalFile;
  nextSequence: number;
  readonly files: WalFiles;
  readonly #poison: Poison;

  constructor(common: WalShared, current: WalFile, nextSequence: number) {
    this.files = new WalFiles(common);
    this.#poison = common.poison;
    this.current = current;
    this.nextSequence = nextSequence;
  }

  /** Makes a unit durable, then visible. `urgent` ones may use the room kept free. Rejects as files do, and then has no effect. */
  async commit(
    unit: UnitBytes,
    entries: readonly Pick<NewEntry, 'device' | 'kind' | 'apply'>[],
    urgent: boolean,
  ): Promise<void> {
    const { current } = this;
    const first = this.nextSequence;
    const length = unit.total;
    await unit.finish(current.salt, first, entries.length);
    await this.#makeRoom(current, unit.total + (urgent ? 0 : RESERVE_BYTES));
    try {
      await write(unit, current);
    } catch (error) {
      this.#takeBack(current);
      throw error;
    }
    await current.file.sync();
    current.end += length;
    this.nextSequence += entries.length;
    for (let i = 0; i < entries.length; i++) {
      const { device, kind, apply } = entries[i]!;
      if (isDeletion(kind)) current.tellsOfDeletion = true;
      if (kind !== ERASE) current.lastOf.set(device, first + i);
      apply(first + i);
    }
  }

  /** Turns to a new file; resolves with the old one. */
  async turn(): Promise<WalFile> {
    const full = this.current;
    this.current = await this.files.next(this.nextSequence);
    return full;
  }

  async #makeRoom(current: WalFile, bytes: number): Promise<void> {
    const needed = current.end + bytes;
    if (needed <= current.allocated) return;
    let grown = current.allocated;
    try {
      // Most units need one more at most: that takes less here than the way to another thread.
      current.file.writeNow(zeros, grown);
      for (grown += GROWTH_BYTES; grown < needed; grown += GROWTH_BYTES)
        await current.file.write(zeros, grown);
    } catch (error) {
      try {
        current.file.truncateNow(current.allocated);
      } catch (failure) {
        throw this.#poison.by(failure);
      }
      throw error;
    }
    current.allocated = grown;
  }

  /** A unit that was not written whole must not be found later. */
  #takeBack(current: WalFile): void {
    try {
      current.file.writeNow(zeros.subarray(0, UNIT_HEADER_BYTES + TERMINATOR_BYTES), current.end);
    } catch (failure) {
      this.#poison.by(failure);
    }
  }
}

async function write(unit: UnitBytes, { file, end }: WalFile): Promise<void> {
  let at = end;
  for (const piece of unit.pieces()) {
    if (unit.isLarge) await file.write(piece, at);
    else file.writeNow(piece, at);
    at += piece.length;
  }
}
