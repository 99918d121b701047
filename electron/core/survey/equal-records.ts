import type { Micros } from '#shared/values/time.ts';
import { ROW } from '../store/store.ts';
import { TEXT } from '../store/record-columns.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import { FirstPlaces, type Found } from './places.ts';
import type { Fold, Survey, SurveyMessage, SurveyQuery, SurveyStart } from './survey.ts';

export interface EqualRecordsQuery extends SurveyQuery {
  /** Places that are told. */
  readonly most: number;
}

/** Records that have the time, the keys and the values of one before them. */
export interface EqualRecords {
  readonly found: Found;
  /** False: more different records lie at an instant than are told apart. */
  readonly exact: boolean;
}

export const EQUAL_RECORDS = {
  kind: { name: 'equal-records' } as TaskKind<
    SurveyStart<EqualRecordsQuery>,
    never,
    SurveyMessage,
    EqualRecords
  >,
  held: false,
  rows: true,
  begin: (query) => new EqualRecordsFold(query),
} satisfies Survey<EqualRecordsQuery, EqualRecords>;

/** Different records at one instant that are told apart. */
const MOST_APART = 262_144;

const words = new Float64Array(1);
const halves = new Uint32Array(words.buffer);

class EqualRecordsFold implements Fold<EqualRecords> {
  readonly isOver = false;
  readonly #found: FirstPlaces;
  #exact = true;
  #time: Micros = Number.NaN;
  /** Of the record under way; sums, since its keys come in any order. */
  #low = 0;
  #high = 0;
  #isOpen = false;
  #records = 0;
  #extra = 0;
  #seen = new Set<number>();

  constructor({ most }: EqualRecordsQuery) {
    this.#found = new FirstPlaces(most);
  }

  readonly take: Fold<EqualRecords>['take'] = (place, time, kind, number, text) => {
    if (place !== ROW) {
      // A key's place and kind are part of what is mixed: 1 and true, or a and b changed over, are not the same.
      let a = Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(kind + 1, 0x85ebca6b);
      let b = Math.imul(place + 1, 0xc2b2ae35) ^ Math.imul(kind + 1, 0x27d4eb2f);
      if (kind === TEXT) {
        for (let i = 0; i < text.length; i++) {
          const unit = text.charCodeAt(i);
          a = mixed(a ^ unit, 0x85ebca6b);
          b = mixed(b ^ unit, 0xcc9e2d51);
        }
      } else {
        words[0] = number + 0;
        a = mixed(mixed(a ^ halves[0]!, 0x85ebca6b) ^ halves[1]!, 0xc2b2ae35);
        b = mixed(mixed(b ^ halves[1]!, 0xcc9e2d51) ^ halves[0]!, 0x1b873593);
      }
      this.#low = (this.#low + mixed(a, 0x9e3779b1)) >>> 0;
      this.#high = (this.#high + mixed(b, 0x85ebca77)) >>> 0;
      return;
    }
    this.#endRecord();
    if (time !== this.#time) this.#endInstant(time);
    this.#isOpen = true;
  };

  result(): EqualRecords {
    this.#endRecord();
    this.#endInstant(Number.NaN);
    return { found: this.#found.end(), exact: this.#exact };
  }

  #endRecord(): void {
    if (!this.#isOpen) return;
    // 53 bits, as a number holds them.
    const mark = this.#low * 0x200000 + (this.#high >>> 11);
    this.#records++;
    if (this.#seen.has(mark)) this.#extra++;
    else if (this.#seen.size < MOST_APART) this.#seen.add(mark);
    else this.#exact = false;
    this.#low = this.#high = 0;
    this.#isOpen = false;
  }

  #endInstant(next: Micros): void {
    if (this.#extra > 0) this.#found.addAt(this.#time, this.#records, this.#extra);
    if (this.#seen.size > 64) this.#seen = new Set();
    else this.#seen.clear();
    this.#time = next;
    this.#records = this.#extra = 0;
  }
}

function mixed(value: number, by: number): number {
  const product = Math.imul(value, by);
  return product ^ (product >>> 15);
}
