import type { RecordStore } from '#core/store/store.ts';
import { digestOf } from '#core/store/log/wal/receipt-digest.ts';
import { record } from '../suites/record-store/harness.ts';
import { isRefusedName } from '../suites/record-store/replace.ts';
import { DEVICES, type Doing } from './erasing-acts.ts';

const MARK = 'secret ';

/** Texts of records, with their times. */
type Texts = Map<string, number>;

/** What there may be of a device. */
interface Known {
  readonly there: Texts;
  /** What something that was cut off may have removed. */
  readonly unsure: Texts;
  /** What was removed and can come back, by its name. */
  readonly kept: Map<string, Texts>;
  /** Names under which something may be kept, and what was cut off between there and kept. */
  readonly unsureNames: Set<string>;
  readonly between: Texts;
  readonly receipts: Buffer[];
}

const nothing = (): Known => ({
  there: new Map(),
  unsure: new Map(),
  kept: new Map(),
  unsureNames: new Set(),
  between: new Map(),
  receipts: [],
});

/** What was asked of a store; either is called once it was answered, or never will be. */
export interface Asked {
  readonly work: Promise<unknown>;
  readonly answered: () => void;
  readonly cut: () => void;
}

/** Knows of every text that was ever stored what has become of it. */
export class Secrets {
  /** What is to be in no file once the store was closed. */
  readonly #deleted = new Set<string>();
  readonly #deletedReceipts: Buffer[] = [];
  /** What was never acknowledged: it may be there or not. */
  readonly unacknowledged = new Set<string>();
  #made = 0;
  readonly #devices = new Map<string, Known>(DEVICES.map((id) => [id, nothing()]));

  of(device: string): Known {
    const known = this.#devices.get(device);
    if (known === undefined) throw new Error(`There is no device ${device}.`);
    return known;
  }

  ask(store: RecordStore, doing: Doing): Asked {
    const known = this.of(doing.device);
    const { device } = doing;
    switch (doing.kind) {
      case 'append':
      case 'import': {
        const { texts, records } = this.#newTexts(doing.times);
        const cut = () => {
          for (const text of texts.keys()) this.unacknowledged.add(text);
        };
        const answered = () => move(texts, known.there);
        if (doing.kind === 'import') {
          const ends = { commit: answered, abort: () => this.#delete(texts), none: cut };
          return { work: imports(store, doing, records), answered: ends[doing.end], cut };
        }
        const receipt = `receipt-${this.#made++}`;
        const stored = () => {
          answered();
          if (records.length > 0) known.receipts.push(Buffer.from(digestOf(receipt).buffer));
        };
        return { work: store.append(device, records, { receipt }), answered: stored, cut };
      }
      case 'delete': {
        const { from: start, to: end } = doing;
        const isIn = (at: number) => at >= start && at <= end;
        return {
          work: store.deleteRange(device, { start, end }),
          answered: () => this.#delete(known.there, known.unsure, isIn),
          cut: () => move(known.there, known.unsure, isIn),
        };
      }
      case 'purge':
        return {
          work: store.purge(device, 1),
          answered: () => this.#delete(known.there, known.unsure),
          cut: () => move(known.there, known.unsure),
        };
      case 'drop':
        return {
          work: store.drop(device),
          answered: () => this.#drop(known),
          cut: () => {
            move(known.there, known.unsure);
            for (const name of known.kept.keys()) loseTrack(known, name);
          },
        };
      case 'keep':
        return this.#keep(store, doing, known);
      case 'replace':
        return this.#replace(store, doing, known);
      case 'restore':
        return {
          work: store.restore(device, doing.name),
          answered: () => {
            move(known.kept.get(doing.name), known.there);
            known.kept.delete(doing.name);
            known.unsureNames.delete(doing.name);
          },
          cut: () => loseTrack(known, doing.name),
        };
      case 'discard':
        return {
          work: store.discard(device, doing.name),
          answered: () => {
            this.#delete(known.kept.get(doing.name));
            known.kept.delete(doing.name);
            known.unsureNames.delete(doing.name);
          },
          cut: () => loseTrack(known, doing.name),
        };
    }
  }

  /** Something in these bytes that was deleted. */
  deletedIn(bytes: Buffer): string | undefined {
    return (
      textsIn(bytes).find((text) => this.#deleted.has(text)) ??
      this.#deletedReceipts.find((digest) => bytes.includes(digest))?.toString('hex')
    );
  }

  #keep(store: RecordStore, { device, name, range }: Extract<Doing, { kind: 'keep' }>, known: Known): Asked {
    const isIn = (at: number) => range === null || (at >= range.start && at <= range.end);
    const cut = () => {
      move(known.there, known.between, isIn);
      move(known.unsure, known.between, isIn);
      known.unsureNames.add(name);
    };
    return {
      work: store.keep(device, name, range === null ? { at: 2 } : { range }),
      cut,
      answered: () => {
        if (known.kept.has(name)) return;
        if (known.unsureNames.has(name)) return cut();
        const taken: Texts = new Map();
        move(known.there, taken, isIn);
        // Where nothing was in the range nothing is kept under the name, unless something unsure was.
        const isUnsure = [...known.unsure.values(), ...known.between.values()].some(isIn);
        move(known.unsure, known.between, isIn);
        if (range === null || taken.size > 0) known.kept.set(name, taken);
        else if (isUnsure || this.unacknowledged.size > 0) known.unsureNames.add(name);
      },
    };
  }

  #replace(
    store: RecordStore,
    { device, name, times, range, back }: Extract<Doing, { kind: 'replace' }>,
    known: Known,
  ): Asked {
    const { texts, records } = this.#newTexts(times);
    const isIn = (at: number) => at >= range.start && at <= range.end;
    let expected = 0;
    let isMade = false;
    const work = async () => {
      const batch = await store.batch(device);
      await batch.add(records);
      const revision = await store.revision(device);
      expected = await store.count(device, range);
      try {
        isMade = await batch.replace({ name, range, revision, expected, back });
      } catch (error) {
        await batch.abort();
        if (!isRefusedName(error)) throw error;
      }
    };
    const comesBack = (of: string) => {
      move(known.kept.get(of), known.there);
      known.kept.delete(of);
      known.unsureNames.delete(of);
    };
    return {
      work: work(),
      answered: () => {
        if (!isMade) return this.#delete(texts);
        const taken: Texts = new Map();
        move(known.there, taken, isIn);
        move(known.unsure, known.between, isIn);
        // Nothing was kept under its name, or it would have been refused.
        known.unsureNames.delete(name);
        if (expected > 0) known.kept.set(name, taken);
        if (back !== undefined) comesBack(back);
        move(texts, known.there);
      },
      cut: () => {
        move(known.there, known.between, isIn);
        move(known.unsure, known.between, isIn);
        known.unsureNames.add(name);
        if (back !== undefined) loseTrack(known, back);
        for (const text of texts.keys()) this.unacknowledged.add(text);
      },
    };
  }

  /** Texts that nothing else has, one at each time, and their records. */
  #newTexts(times: readonly number[]): { texts: Texts; records: ReturnType<typeof record>[] } {
    const texts: Texts = new Map(times.map((at) => [`${MARK}${this.#made++};`, at]));
    return { texts, records: [...texts].map(([text, at]) => record(at, { text })) };
  }

  #drop(known: Known): void {
    this.#delete(known.there, known.unsure);
    this.#delete(known.between);
    for (const texts of known.kept.values()) this.#delete(texts);
    this.#deletedReceipts.push(...known.receipts.splice(0));
    known.kept.clear();
    known.unsureNames.clear();
  }

  #delete(
    texts: Texts = new Map(),
    others: Texts = new Map(),
    isIn: (at: number) => boolean = () => true,
  ): void {
    for (const some of [texts, others])
      for (const [text, at] of some)
        if (isIn(at)) {
          some.delete(text);
          this.#deleted.add(text);
        }
  }
}

/** The texts of records in these bytes. */
function textsIn(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 1))
    found.push(bytes.toString('latin1', at, bytes.indexOf(';', at) + 1));
  return found;
}

async function imports(
  store: RecordStore,
  { device, end }: Extract<Doing, { kind: 'import' }>,
  records: ReturnType<typeof record>[],
): Promise<void> {
  const batch = await store.batch(device);
  await batch.add(records);
  if (end === 'commit') await batch.commit();
  else if (end === 'abort') await batch.abort();
}

function move(from: Texts = new Map(), to: Texts, isIn: (at: number) => boolean = () => true): void {
  for (const [text, at] of from)
    if (isIn(at)) {
      if (from !== to) from.delete(text);
      to.set(text, at);
    }
}

/** Whether something is kept under the name, or there again, or gone, is not known any more. */
function loseTrack(known: Known, name: string): void {
  move(known.kept.get(name), known.between);
  known.kept.delete(name);
  known.unsureNames.add(name);
}
