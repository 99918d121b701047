import { z } from 'zod';
import { parseJson } from '#shared/json.ts';
import type { Micros } from '#shared/time.ts';
import type { KeptLines } from '../kept-lines.ts';
import type { Logger } from '../logger.ts';

const line = z.tuple([z.string(), z.int()]);
/** ms between two writings: a request must not cost one, and a crash may cost so much of what is known. */
const WRITE_MS = 600_000;

/** The same where other services write down theirs, too: what people see of these is so late. */
const SHARED_MS = 10_000;

/** When each API key was used last: in memory, and written down now and then. */
export class KeyUse {
  readonly #used: Map<string, Micros>;
  readonly #forgotten = new Set<string>();
  readonly #journal: KeptLines;
  readonly #isShared: boolean;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #timer: NodeJS.Timeout;
  #isWritten = true;

  private constructor(
    used: Map<string, Micros>,
    journal: KeptLines,
    log: Pick<Logger, 'warn'>,
    isShared: boolean,
  ) {
    this.#used = used;
    this.#journal = journal;
    this.#log = log;
    this.#isShared = isShared;
    this.#timer = setInterval(() => void this.#write(), isShared ? SHARED_MS : WRITE_MS).unref();
  }

  /**
   * Takes up what was written down; what cannot be read is not known any more. `isShared`: other services write there, too,
   * and it is looked at again and again. Rejects with StoreError.
   */
  static async open(journal: KeptLines, log: Pick<Logger, 'warn'>, isShared = false): Promise<KeyUse> {
    return new KeyUse(await readUse(journal), journal, log, isShared);
  }

  /** It was used now. */
  note(key_id: string, now: Micros): void {
    this.#used.set(key_id, now);
    this.#isWritten = false;
  }

  /** Null where it never was. */
  of(key_id: string): Micros | null {
    return this.#used.get(key_id) ?? null;
  }

  /** It was revoked. */
  forget(key_id: string): void {
    this.#forgotten.add(key_id);
    if (this.#used.delete(key_id)) this.#isWritten = false;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#write();
    await this.#journal.close();
  }

  /** Nothing depends on it: a disk that fails costs no more than this. */
  async #write(): Promise<void> {
    const isWritten = this.#isWritten;
    if (isWritten && !this.#isShared) return;
    this.#isWritten = true;
    try {
      if (this.#isShared) await this.#takeUp();
      if (isWritten) return;
      await this.#journal.replace([...this.#used].map((one) => JSON.stringify(one)));
    } catch (error) {
      this.#isWritten = isWritten;
      this.#log.warn(`When API keys were used last could not be written: ${(error as Error).message}`);
    }
  }
  /** What others have written. */
  async #takeUp(): Promise<void> {
    for (const [key_id, used] of await readUse(this.#journal))
      if (!this.#forgotten.has(key_id) && used > (this.#used.get(key_id) ?? 0)) this.#used.set(key_id, used);
  }
}

async function readUse(journal: KeptLines): Promise<Map<string, Micros>> {
  const { lines } = await journal.read();
  const used = new Map<string, Micros>();
  for (const text of lines) {
    const read = line.safeParse(parseJson(text));
    if (read.success) used.set(...read.data);
  }
  return used;
}
