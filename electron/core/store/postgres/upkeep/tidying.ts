import { Background } from '../../../turns/background.ts';
import { Serial } from '../../../turns/serial.ts';
import type { Database } from '../connection/connections.ts';
import { lockHead, writeHead } from '../rows/head.ts';
import { cleanUp, type JanitorLimits } from './janitor.ts';
import type { Looking } from '../reading/looking.ts';
import { mergeSegments } from './merging.ts';
import type { Place } from '../rows/place.ts';
import type { BlockCache } from '../reading/reading.ts';
import { sealTail } from '../storing/sealing.ts';

export interface TidyLimits extends JanitorLimits {
  /** Rows of a tail after which it is put into segments. */
  readonly tailRows: number;
  /** Rows of a segment. */
  readonly segmentRows: number;
  /** Milliseconds between two rounds of the janitor. */
  readonly cleanUpMs: number;
}

export interface TidyParts {
  readonly database: Database;
  readonly looking: Looking;
  readonly cache: BlockCache;
  readonly lanes: number;
  readonly limits: TidyLimits;
}

/** Seals tails, merges segments and removes what is of no use, in the background. What fails is met again the next time. */
export class Tidying {
  readonly #parts: TidyParts;
  readonly #background = new Background();
  /** One after the other: nobody waits for them. */
  readonly #work = new Serial();
  readonly #wanted = new Set<string>();
  readonly #rounds: NodeJS.Timeout;

  constructor(parts: TidyParts) {
    this.#parts = parts;
    this.#rounds = setInterval(() => this.#cleanUp(), parts.limits.cleanUpMs).unref();
  }

  /** Puts the tail of a device into segments where it is long, and merges them. */
  want(place: Place): void {
    if (this.#background.closing || this.#wanted.has(place.device)) return;
    this.#wanted.add(place.device);
    const tidied = this.#work.run(async () => {
      this.#wanted.delete(place.device);
      if (this.#background.closing) return;
      await this.#seal(place);
      const { segmentRows } = this.#parts.limits;
      const isClosing = () => this.#background.closing;
      await mergeSegments({ ...this.#parts, segmentRows, isClosing }, place);
    });
    this.#background.add(tidied);
  }

  /** Gives up what nobody waits for. */
  stop(): void {
    this.#background.closing = true;
    clearInterval(this.#rounds);
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#background.idle();
  }

  async #seal(place: Place): Promise<void> {
    const { database, limits } = this.#parts;
    await database.change(
      async (transaction) => {
        const head = await lockHead(transaction, place);
        // Another process may have done it.
        if (head.tailRows < limits.tailRows) return;
        await writeHead(transaction, place, await sealTail(transaction, place, head, limits.segmentRows));
      },
      { lane: place.lane },
    );
  }

  #cleanUp(): void {
    const { database, lanes, limits } = this.#parts;
    const round = this.#work.run(() => cleanUp(database, lanes, limits, () => this.#background.closing));
    this.#background.add(round);
  }
}
