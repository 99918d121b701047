import { MOST_PARTS } from '#shared/operations/records/sync.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { RecordStore, StoredRecord } from '../store/store.ts';
import { contentOf } from '../sync/content.ts';
import { isLater, sumOf, type Counting, type Digested } from '../sync/digests.ts';
import type { SentRecord } from '../sync/lines.ts';
import { isRemoved, type Removal } from '../sync/removals.ts';
import { digestsOf } from '../sync/survey-records.ts';
import type { Semaphore } from '../turns/semaphore.ts';
import { Pace } from '../turns/pace.ts';

/** A record that counts, with its content where that is asked for. */
export interface Counted extends SentRecord {
  readonly content: string | null;
}

/** Summary of the records of a device. */
export interface Whole extends Digested {
  /** From the first to the last record, whether they count or not. */
  readonly span: Required<TimeRange>;
  readonly records: number;
  readonly digest: string;
}

/** µs that a clock may have been ahead without its times being taken for those of another one. */
const AHEAD = 86_400e6;

/** The records that count for a plan made at `at`, as seen at `now`. */
export const countingFor = (at: Micros, now: Micros, removals: readonly Removal[]): Counting => ({
  until: at,
  ahead: Math.max(at, now) + AHEAD,
  removals,
});

export interface LocalSideOptions {
  readonly records: Pick<RecordStore, 'scan' | 'keys' | 'threadWork' | 'within'>;
  readonly semaphore: Semaphore;
  readonly signal: AbortSignal;
}

/** Local side of a push, for one device: the records that count. */
export class LocalSide {
  readonly #options: LocalSideOptions;
  readonly #device: string;
  readonly #counting: Counting;

  constructor(device: string, counting: Counting, options: LocalSideOptions) {
    this.#options = options;
    this.#device = device;
    this.#counting = counting;
  }

  /** All that counts, in parts; null without any records. */
  async whole(): Promise<Whole | null> {
    const { first, last } = await this.#options.records.within(this.#device, {});
    if (first === null || last === null) return null;
    const digested = await this.digests({ start: first, end: last }, MOST_PARTS);
    const records = digested.parts.reduce((sum, part) => sum + part.records, 0);
    return { ...digested, span: { start: first, end: last }, records, digest: sumOf(digested.parts) };
  }

  digests(range: Required<TimeRange>, parts: number): Promise<Digested> {
    return digestsOf(range, parts, this.#counting, { ...this.#options, device: this.#device });
  }

  /**
   * The records of a range that count, oldest first, all of an instant together. Contents are made where they are asked for,
   * and of records that share an instant: equal ones are counted.
   */
  async *instants(range: TimeRange, withContents: boolean): AsyncGenerator<readonly Counted[]> {
    const { records, signal } = this.#options;
    const pace = new Pace();
    let same: StoredRecord[] = [];
    let time: Micros = Number.NaN;
    for await (const some of records.scan(this.#device, range))
      for (const record of some) {
        if (!this.#counts(record)) continue;
        if (record.timestamp !== time) {
          if (same.length > 0) yield counted(same, withContents);
          same = [];
          time = record.timestamp;
          if (await pace.pause()) signal.throwIfAborted();
        }
        same.push(record);
      }
    if (same.length > 0) yield counted(same, withContents);
  }

  #counts({ timestamp, received }: StoredRecord): boolean {
    const { removals } = this.#counting;
    return !isLater(this.#counting, received) && !isRemoved(removals, timestamp, received);
  }
}

function counted(same: readonly StoredRecord[], withContents: boolean): readonly Counted[] {
  const [only] = same;
  if (same.length === 1 && only && !withContents) return [{ record: only, occurrence: 0, content: null }];
  const seen = new Map<string, number>();
  return same.map((record) => {
    const content = contentOf(record);
    const occurrence = seen.get(content) ?? 0;
    seen.set(content, occurrence + 1);
    return { record, occurrence, content };
  });
}
