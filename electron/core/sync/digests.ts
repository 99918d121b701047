import { columnStarts } from '#shared/values/pixel-columns.ts';
import { oddityOf } from '#shared/domain/time-findings.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { Fold, Survey, SurveyMessage, SurveyQuery, SurveyStart } from '../survey/survey.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import { ContentReader, idOf, type Row } from './content.ts';
import { isRemoved, type Removal } from './removals.ts';

/** Filter of the records of a device that count. */
export interface Counting {
  /** Latest time of receipt that counts; null: all do. */
  readonly until: Micros | null;
  /** Time of receipt after which records count all the same: a clock was ahead then. */
  readonly ahead: Micros;
  /** Removals of the other side, which do not count. */
  readonly removals: readonly Removal[];
}

export interface DigestsQuery extends SurveyQuery {
  /** All keys of the device, in the order of UTF-16 code units. */
  readonly keys: readonly string[];
  readonly range: Required<TimeRange>;
  /** Equal parts of the range, at most as many as it has µs. */
  readonly parts: number;
  readonly counting: Counting;
}

/** Digest of a part of a range; parts without records are left out. */
export interface Part extends Required<TimeRange> {
  readonly records: number;
  /** The sum of the records' ids modulo 2^128, in hex. */
  readonly digest: string;
}

export interface Digested {
  readonly parts: readonly Part[];
  /** Records that do not count because they were removed from the other side. */
  readonly removed: number;
  /** Records whose time cannot be right: 1970, 2036, or more than a day after their receipt. */
  readonly odd: number;
  /** Characters of all contents. */
  readonly characters: number;
}

export const DIGESTS = {
  kind: { name: 'digests' } as TaskKind<SurveyStart<DigestsQuery>, never, SurveyMessage, Digested>,
  held: false,
  rows: true,
  begin: (query) => new DigestsFold(query),
} satisfies Survey<DigestsQuery, Digested>;

/** Whether a record that was received then came too late to count. */
export const isLater = ({ until, ahead }: Counting, received: Micros) =>
  until !== null && received > until && received <= ahead;

/** Numbers of 32 bits that a digest is summed in, the highest first. */
const LIMBS = 4;

/** Sums of ids, which any order of records gives alike: it does not matter where a store's blocks divide. */
class Digest {
  readonly #limbs = new Uint32Array(LIMBS);
  records = 0;

  add(id: string): void {
    let carry = 0;
    for (let i = LIMBS - 1; i >= 0; i--) {
      const sum = this.#limbs[i]! + Number.parseInt(id.slice(i * 8, i * 8 + 8), 16) + carry;
      this.#limbs[i] = sum;
      carry = sum > 0xffffffff ? 1 : 0;
    }
    this.records++;
  }

  get text(): string {
    return Array.from(this.#limbs, (limb) => limb.toString(16).padStart(8, '0')).join('');
  }
}

/** The digest of all parts together. */
export function sumOf(parts: readonly Pick<Part, 'digest'>[]): string {
  const digest = new Digest();
  for (const part of parts) digest.add(part.digest);
  return digest.text;
}

class DigestsFold implements Fold<Digested> {
  readonly isOver = false;
  readonly take: Fold<Digested>['take'];
  readonly #query: DigestsQuery;
  readonly #reader: ContentReader;
  readonly #starts: Float64Array;
  readonly #digests: (Digest | undefined)[];
  #part = 0;
  #removed = 0;
  #odd = 0;
  #characters = 0;

  constructor(query: DigestsQuery) {
    const { range, parts, keys } = query;
    this.#query = query;
    this.#starts = columnStarts(range.start, range.end, parts);
    this.#digests = Array.from({ length: parts });
    this.#reader = new ContentReader(keys, (row, content) => this.#add(row, content));
    this.take = this.#reader.take;
  }

  result(): Digested {
    this.#reader.end();
    const { range } = this.#query;
    const endOf = (part: number) => (this.#starts[part + 1] ?? range.end + 1) - 1;
    const parts = this.#digests.flatMap((digest, part) =>
      digest === undefined
        ? []
        : { start: this.#starts[part]!, end: endOf(part), records: digest.records, digest: digest.text },
    );
    return { parts, removed: this.#removed, odd: this.#odd, characters: this.#characters };
  }

  #add({ time, received }: Row, content: string): void {
    const { counting } = this.#query;
    const { removals } = counting;
    if (isLater(counting, received)) return;
    if (isRemoved(removals, time, received)) {
      this.#removed++;
      return;
    }
    // Records come in order of time.
    while (this.#part + 1 < this.#starts.length && time >= this.#starts[this.#part + 1]!) this.#part++;
    (this.#digests[this.#part] ??= new Digest()).add(idOf(content));
    if (oddityOf(time, received) !== null) this.#odd++;
    this.#characters += content.length;
  }
}
