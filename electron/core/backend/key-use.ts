import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Awaitable } from '../base/awaitable.ts';
import type { KeptLines } from './kept-lines.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';

/** Last use of each API key; in a lab, at any of its services. */
export interface KeyUse {
  /** Notes a use of a key now. A failure costs no more than that note. */
  note(key_id: string, now: Micros): Awaitable<void>;
  /** Of these keys; those that never were used are missing. Rejects with StoreError. */
  of(key_ids: readonly string[]): Awaitable<ReadonlyMap<string, Micros>>;
  /** Removes a revoked key. */
  forget(key_id: string): Awaitable<void>;
  close(): Promise<void>;
}

const line = z.tuple([z.string(), z.int()]);
/** ms between two writings: a request must not cost one, and a crash may cost so much of what is known. */
const WRITE_MS = 600_000;

/** Key use of one process: in memory, and written now and then. */
export class OwnKeyUse implements KeyUse {
  readonly #used: Map<string, Micros>;
  readonly #journal: KeptLines;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #timer: NodeJS.Timeout;
  #isWritten = true;

  private constructor(used: Map<string, Micros>, journal: KeptLines, log: Pick<Logger, 'warn'>) {
    this.#used = used;
    this.#journal = journal;
    this.#log = log;
    this.#timer = machineClock.every(WRITE_MS, () => void this.#write()).unref();
  }

  /** Takes up what was written down; what cannot be read is not known any more. Rejects with StoreError. */
  static async open(journal: KeptLines, log: Pick<Logger, 'warn'>): Promise<OwnKeyUse> {
    const { lines } = await journal.read();
    const used = new Map<string, Micros>();
    for (const text of lines) {
      const read = line.safeParse(parseJson(text));
      if (read.success) used.set(...read.data);
    }
    return new OwnKeyUse(used, journal, log);
  }

  note(key_id: string, now: Micros): void {
    this.#used.set(key_id, now);
    this.#isWritten = false;
  }

  of(): ReadonlyMap<string, Micros> {
    return this.#used;
  }

  forget(key_id: string): void {
    if (this.#used.delete(key_id)) this.#isWritten = false;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#write();
    await this.#journal.close();
  }

  async #write(): Promise<void> {
    if (this.#isWritten) return;
    this.#isWritten = true;
    try {
      await this.#journal.replace([...this.#used].map((one) => JSON.stringify(one)));
    } catch (error) {
      this.#isWritten = false;
      this.#log.warn(`When API keys were used last could not be written: ${(error as Error).message}`);
    }
  }
}
