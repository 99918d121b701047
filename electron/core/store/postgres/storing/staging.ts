import { StoreError } from '../../../base/errors.ts';
import { systemRandom } from '../../../base/system-random.ts';
import type { MadeBlock } from '../rows/building.ts';
import type { Asker, Database } from '../connection/connections.ts';
import { lockToWrite, writeHead } from '../rows/head.ts';
import type { Place } from '../rows/place.ts';
import { blockStatements } from './writing.ts';

const RESERVE =
  'INSERT INTO staging (lane, device_id, staging_id, from_block, to_block) VALUES ($1, $2, $3, $4, $5)';
const SEEN =
  'UPDATE staging SET seen = now() WHERE lane = $1 AND device_id = $2 AND staging_id = $3 RETURNING from_block';
const TAKE =
  'DELETE FROM staging WHERE lane = $1 AND device_id = $2 AND staging_id = $3 RETURNING from_block, to_block';
const REMOVE = 'DELETE FROM block WHERE lane = $1 AND device_id = $2 AND block_id >= $3 AND block_id < $4';

/** Numbers of blocks that are taken at once. */
const RESERVED = 8192;

/** Returns the error of a batch that was given up after a long silence. */
const given = () =>
  new StoreError(
    'closed',
    'The records were too long on their way and were given up; nothing of them was stored. Send them again.',
  );

/**
 * Staging of blocks that no segment has yet. They have numbers from the device's head, and a row with them: where their
 * writer is silent for long, garbage collection removes row and blocks, and the writer finds that out.
 */
export class Staging {
  readonly #database: Database;
  readonly #place: Place;
  readonly #id = systemRandom.uuid();
  #next = 0;
  #end = 0;
  #isBegun = false;
  /** Of its first row: what it wrote may be missing in another one. */
  #history: number | null = null;

  constructor(database: Database, place: Place) {
    this.#database = database;
    this.#place = place;
  }

  /** Whether there is anything of it in the database. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** The next number; `reserve` saw to it that there is one. */
  number(): number {
    if (this.#next >= this.#end) throw new TypeError('no number of a block is reserved');
    return this.#next++;
  }

  /** Sees to it that so many blocks have numbers. Rejects with `retired`, and with `closed` where the device began anew since `epoch`. */
  async reserve(blocks: number, epoch: number | null): Promise<number> {
    if (this.#end - this.#next >= blocks && epoch !== null) return epoch;
    const { lane, device } = this.#place;
    const wanted = Math.max(RESERVED, blocks);
    const { from, found, history } = await this.#database.change(
      async (transaction) => {
        const head = await lockToWrite(transaction, this.#place);
        checkEpoch(head.epoch, epoch);
        if (this.#isBegun) this.#checkHistory();
        await transaction.ask(RESERVE, [lane, device, this.#id, head.nextBlock, head.nextBlock + wanted]);
        await writeHead(transaction, this.#place, { ...head, nextBlock: head.nextBlock + wanted });
        return { from: head.nextBlock, found: head.epoch, history: this.#database.history };
      },
      { lane },
    );
    if (!this.#isBegun) this.#history = history;
    this.#isBegun = true;
    this.#next = from;
    this.#end = from + wanted;
    return found;
  }

  /** Writes blocks, and says that it goes on. Rejects with `closed` where it was given up. */
  async write(blocks: readonly MadeBlock[]): Promise<void> {
    if (blocks.length === 0) return;
    await this.#database.change(
      async (transaction) => {
        if ((await transaction.ask(SEEN, this.#key)).length === 0) throw given();
        this.#checkHistory();
        await transaction.askAll(blockStatements(this.#place, blocks));
      },
      { lane: this.#place.lane },
    );
  }

  /** Says that it goes on. */
  async goesOn(): Promise<void> {
    if (!this.#isBegun) return;
    await this.#database.change((transaction) => transaction.ask(SEEN, this.#key), {
      lane: this.#place.lane,
    });
  }

  /** In the transaction that makes segments of the blocks: from then on they are those segments'. Rejects with `closed`. */
  async take(transaction: Asker): Promise<void> {
    if (!this.#isBegun) return;
    if ((await transaction.ask(TAKE, this.#key)).length === 0) throw given();
    this.#checkHistory();
  }

  /** Removes what was written. */
  async discard(): Promise<void> {
    if (!this.#isBegun) return;
    await this.#database.change((transaction) => removeStaged(transaction, this.#place, this.#id), {
      lane: this.#place.lane,
    });
    this.#isBegun = false;
  }

  /** Within a transaction, whose connection has told of another history before it. */
  #checkHistory(): void {
    if (this.#database.history !== this.#history) throw given();
  }

  get #key(): readonly unknown[] {
    return [this.#place.lane, this.#place.device, this.#id];
  }
}

/** Removes staged blocks. */
export async function removeStaged(transaction: Asker, { lane, device }: Place, id: string): Promise<void> {
  for (const row of await transaction.ask(TAKE, [lane, device, id]))
    await transaction.ask(REMOVE, [lane, device, row['from_block'], row['to_block']]);
}

/** Throws where the device was removed since. */
export function checkEpoch(now: number, before: number | null): void {
  if (before !== null && now !== before)
    throw new StoreError('closed', 'The device was removed while records were imported into it.');
}
