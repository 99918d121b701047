import { deepStrictEqual, ok } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { RecordStore } from '#core/store/store.ts';
import { scanned } from '../suites/record-store/harness.ts';
import { randomCrashState } from './crash-states.ts';
import { diskFiles, type DiskFiles } from './disk-files.ts';
import { Disk, type Operation } from './disk.ts';
import { acts, DEVICES, type Act } from './erasing-acts.ts';
import { heldTime, type Skip } from './held-time.ts';
import { generator } from './random-crashes.ts';
import type { OpenStore } from './run.ts';
import { Secrets } from './secrets.ts';
import { underWay } from './under-way.ts';

/** A file operation takes up to so many turns of the event loop, mostly one. */
const MOST_TURNS = 8;
/** ms after which the log may be erased again, however long it took. */
const LONG_MS = 1_000_000;

/**
 * Whatever is deleted, and the receipt of what a dropped device stored, cannot be found in any file once the store was
 * closed in order, however often the process was killed or the power cut in between; and what was not deleted is there.
 * The second value draws how long each file operation takes, and time passes with turns alone: the same values come out
 * the same on any machine.
 */
export function erasingProperty(openStore: OpenStore, done: (acts: number) => void = () => {}) {
  return fc.asyncProperty(acts, fc.integer({ min: 1, max: 1 << 30 }), async (sequence, seed) => {
    await heldTime((skip) => new Lives(openStore, generator(seed), skip).live(sequence));
    done(sequence.length);
  });
}

/** A disk, and the processes that use it one after the other. */
class Lives {
  readonly #openStore: OpenStore;
  readonly #random: () => number;
  readonly #skip: Skip;
  readonly #secrets = new Secrets();
  /** The disk as it was before the first operation of the trace of `#files`. */
  #base = new Disk();
  #disk = new Disk();
  #files = this.#filesOf([]);
  #store: Promise<RecordStore> | null = null;
  #readers: AsyncIterator<unknown>[] = [];

  constructor(openStore: OpenStore, random: () => number, skip: Skip) {
    this.#openStore = openStore;
    this.#random = random;
    this.#skip = skip;
  }

  async live(sequence: readonly Act[]): Promise<void> {
    for (const act of sequence) await this.#do(await this.#opened(), act);
    await this.#close(await this.#opened());
    const left = await this.#opened();
    for (const device of DEVICES) {
      const { there, unsure, between, kept } = this.#secrets.of(device);
      const found = (await scanned(left, device)).map(({ values }) => String(values[0]));
      const mayBe = [unsure, between, this.#secrets.unacknowledged];
      const sure = found.filter((text) => there.has(text) || !mayBe.some((some) => some.has(text)));
      deepStrictEqual(sure.toSorted(), [...there.keys()].toSorted());
      for (const texts of [there, ...kept.values()])
        for (const text of texts.keys()) ok(this.#isFound(text), 'a text that is there is not found');
    }
    await this.#close(left);
  }

  async #do(store: RecordStore, act: Act): Promise<void> {
    if (act.kind === 'read') {
      const reader = store.scan(act.device)[Symbol.asyncIterator]();
      this.#readers.push(reader);
      await reader.next();
    } else if (act.kind === 'read-no-more') {
      for (const reader of this.#readers.splice(0)) await reader.return?.();
    } else if (act.kind === 'rest') {
      this.#skip(LONG_MS);
      await pass(act.turns);
    } else if (act.kind === 'reopen') {
      await this.#close(store);
    } else if (act.kind === 'crash') {
      await this.#crash(store, act);
    } else {
      const { work, answered } = this.#secrets.ask(store, act);
      await work;
      answered();
    }
  }

  async #crash(store: RecordStore, { during, deaths }: Extract<Act, { kind: 'crash' }>): Promise<void> {
    let ends = during === null ? () => {} : underWay(this.#secrets.ask(store, during));
    for (const { turns, seed } of deaths) {
      await pass(turns);
      ends();
      this.#die(seed);
      ends = underWay({ work: this.#opened(), answered: () => {}, cut: () => {} });
    }
  }

  /** What the next process finds. Nothing that the one before asked of its files ends any more. */
  #die(seed: number | null): void {
    const past = [...this.#files.trace];
    this.#readers = [];
    this.#store = null;
    if (seed === null) {
      this.#disk = this.#base.copy();
      for (const operation of past) this.#disk.apply(operation);
    } else {
      this.#base = randomCrashState(past, generator(seed), this.#base);
      this.#disk = this.#base.copy();
    }
    this.#files = this.#filesOf(seed === null ? past : []);
  }

  #opened(): Promise<RecordStore> {
    return (this.#store ??= this.#openStore(this.#files));
  }

  async #close(store: RecordStore): Promise<void> {
    await store.close();
    for (const [path, node] of this.#disk.paths()) {
      const found = this.#secrets.deletedIn(this.#disk.file(node).begin);
      ok(found === undefined, `"${found}" was deleted, and is in ${path}`);
    }
    // The process ends, and with it whoever reads still.
    this.#readers = [];
    this.#store = null;
    this.#files = this.#filesOf(this.#files.trace);
  }

  #filesOf(past: readonly Operation[]): DiskFiles {
    const files: DiskFiles = diskFiles(this.#disk, undefined, past, async () => {
      await pass(1 + Math.floor(this.#random() ** 2 * MOST_TURNS));
      if (this.#files !== files) await new Promise(() => {});
    });
    return files;
  }

  #isFound(text: string): boolean {
    return [...this.#disk.paths()].some(([, node]) => this.#disk.file(node).begin.includes(text));
  }
}

async function pass(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await setImmediate();
}

/** Every file of the write-ahead log that ever was, whether or not it has a name still. */
export function logNodes({ trace }: DiskFiles): ReadonlySet<number> {
  return new Set(
    trace.flatMap((done) => (done.kind === 'make' && done.name.startsWith('wal-') ? [done.node] : [])),
  );
}
