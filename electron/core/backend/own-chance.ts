import { hash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import type { Chance, Chances } from '../base/chance.ts';
import { SeededChance } from '../base/seeded-chance.ts';
import { systemRandom } from '../base/system-random.ts';
import type { LineJournal } from '../disk/line-journal.ts';

/** Chance of an installation, with what is to be known of it. */
export interface InstallationChance extends Chances {
  /** Whether it follows from a seed (docs/rigs.md, "Chance"). */
  readonly isSeeded: boolean;
  /** That secrets can be guessed, for people to read; null where none was made with a seed. */
  readonly warning: string | null;
  /**
   * Resolves when nothing is drawn any more that is in a backup which is about to be restored: it may be of the same seed.
   * Rejects with StoreError.
   */
  meet(backup: MetBackup): Promise<void>;
}

export interface MetBackup {
  /** Of all ids in it: two backups of the same have the same one. */
  readonly digest: string;
  /** Whether its secrets can be guessed. */
  readonly isGuessable: boolean;
}

/** The chance of an installation that never has a seed. */
export const unseeded: InstallationChance = {
  ...systemRandom,
  isSeeded: false,
  warning: null,
  meet: () => Promise.resolve(),
};

const line = z.object({ chain: z.string().regex(/^[0-9a-f]{64}$/) });

/**
 * Chance of one process. With a seed it follows from the chain: the seeds of all starts of the data directory so far, and the backups
 * that were restored to it. So no start draws what an earlier one has drawn, and the same starts and requests draw the same.
 */
export class OwnChance implements InstallationChance {
  readonly #journal: LineJournal;
  readonly #seed: number | null;
  readonly #source: Chances;
  readonly #isDamaged: boolean;
  #chain: string;
  /** Whether anything of this data directory was drawn by a seed. */
  #isMarked: boolean;

  /** `found`: the chain so far, empty where there was no seed; null where it cannot be read. */
  private constructor(journal: LineJournal, seed: number | null, found: string | null) {
    this.#journal = journal;
    this.#seed = seed;
    this.#isDamaged = found === null;
    const before = found ?? systemRandom.bytes(32).toString('hex');
    this.#isMarked = before !== '' || seed !== null;
    this.#chain = seed === null ? before : linked(before, `start ${seed}`);
    this.#source = seed === null ? systemRandom : new SeededChance(this.#chain);
  }

  /** Reads what is kept, and changes nothing. `seed`: null for none. Rejects with StoreError. */
  static async open(journal: LineJournal, seed: number | null): Promise<OwnChance> {
    const { lines, rest } = await journal.read();
    const [text] = lines;
    if (text === undefined && rest === 'nothing') return new OwnChance(journal, seed, '');
    const read = line.safeParse(text === undefined ? null : parseJson(text));
    return new OwnChance(journal, seed, read.data?.chain ?? null);
  }

  get isSeeded(): boolean {
    return this.#seed !== null;
  }

  get warning(): string | null {
    if (this.#seed !== null) return SEEDED;
    return this.#isMarked ? FORMERLY_SEEDED : null;
  }

  /** Findings, for people to read. */
  get notes(): readonly string[] {
    const { warning } = this;
    if (warning === null) return [];
    const known = this.#seed === null ? warning : `${warning} The seed is ${this.#seed}.`;
    return this.#isDamaged && this.isSeeded ? [known, DAMAGED] : [known];
  }

  /**
   * Resolves once it is on disk that this start has drawn. Until then nothing may be drawn but what the next start draws again.
   * Rejects with StoreError.
   */
  async begin(): Promise<void> {
    if (this.isSeeded) await this.#keep();
  }

  async meet({ digest, isGuessable }: MetBackup): Promise<void> {
    if (!this.#isMarked && !isGuessable) return;
    this.#isMarked = true;
    this.#chain = linked(this.#chain, `restore ${digest}`);
    if (this.#source instanceof SeededChance) this.#source.turnTo(this.#chain);
    await this.#keep();
  }

  of(name: string): Chance {
    return this.#source.of(name);
  }

  uuid(): string {
    return this.#source.uuid();
  }

  bytes(count: number): Buffer {
    return this.#source.bytes(count);
  }

  number(): number {
    return this.#source.number();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  #keep(): Promise<void> {
    return this.#journal.replace([JSON.stringify({ chain: this.#chain })]);
  }
}

const linked = (chain: string, next: string) => hash('sha256', `${chain} ${next}`, 'hex');

const SEEDED =
  'This service was started with --seed: its API keys and device tokens follow from a number, and can be guessed. It is for tests alone.';
const FORMERLY_SEEDED =
  'API keys and device tokens were made with --seed here, or where a restored backup comes from: those can be guessed. ' +
  'Make new ones, or begin with a new data directory.';
const DAMAGED =
  'chance.journal is damaged: what earlier starts have drawn is not known any more, so that ids, keys and tokens of this one do not follow from the seed alone.';
