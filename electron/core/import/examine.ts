import type { Examination } from '#shared/operations/records/records.ts';
import { countOf } from '#shared/values/counts.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { KnownRecords } from '../store/store.ts';
import { Course } from './course.ts';
import { withReader, type FileToRead, type ReadOptions } from './read-records.ts';

/** How many rows that could not be read are told. */
const LISTED_ERRORS = 20;
/** Times that are held, to say what repeats and what the usual interval is: 32 MB of them. */
const MOST_TIMES = 1 << 22;
/** A silence is a gap where it is longer than so many usual intervals: as charts have it. */
const GAP = 10;

export interface ExamineOptions extends Pick<ReadOptions, 'bytes' | 'progress' | 'signal'> {
  /** What the device has already; absent where no device was named. */
  readonly known?: KnownRecords | undefined;
}

/**
 * Tells what a whole file holds, in bounded memory, without storing anything. Rejects as `readRecords` does, but for rows
 * that cannot be read: those are told.
 */
export async function examineFile(file: FileToRead, options: ExamineOptions): Promise<Examination> {
  const { known } = options;
  const errors: Examination['errors'] = [];
  let [records, unreadable, empty, present] = [0, 0, 0, 0];
  const times = new Times();
  const course = new Course();
  const find = async (found: Promise<Uint8Array> | undefined) => {
    for (const mark of (await found) ?? []) present += mark;
  };
  return withReader(file, options, true, async (reader) => {
    for await (const outcomes of reader.outcomes()) {
      if ('columns' in outcomes) {
        records += outcomes.size;
        for (let row = 0; row < outcomes.size; row++) times.add(outcomes.times[row]!);
        course.addColumns(outcomes);
        await find(known?.find(outcomes));
        continue;
      }
      const list = outcomes.flatMap((outcome) => (outcome.kind === 'record' ? [outcome.record] : []));
      for (const outcome of outcomes)
        if (outcome.kind === 'empty') empty++;
        else if (outcome.kind === 'fault') {
          unreadable++;
          if (errors.length < LISTED_ERRORS) errors.push({ line: outcome.line, message: outcome.message });
        }
      records += list.length;
      for (const record of list) {
        times.add(record.timestamp);
        course.add(record);
      }
      await find(known?.find(list));
    }
    const { notes, ...about } = times.examine();
    return {
      records,
      unreadable,
      empty,
      errors,
      ...about,
      present: known ? present : null,
      course: course.tell(),
      notes: [...reader.notes(), ...notes],
    };
  });
}

type AboutTimes = Omit<Examination, 'records' | 'unreadable' | 'empty' | 'errors' | 'present' | 'course'>;

/** The times of a file in its order. All that is told is exact for the first ones that are held; see `notes`. */
class Times {
  #held = new Float64Array(1024);
  #count = 0;
  #first = Infinity;
  #last = -Infinity;
  #before = -Infinity;
  #stepsBack = 0;
  #firstStepBack: number | null = null;

  add(time: number): void {
    if (time < this.#before) {
      this.#stepsBack++;
      this.#firstStepBack ??= time;
    }
    this.#before = time;
    if (time < this.#first) this.#first = time;
    if (time > this.#last) this.#last = time;
    if (this.#count < MOST_TIMES) {
      if (this.#count === this.#held.length) {
        const grown = new Float64Array(2 * this.#held.length);
        grown.set(this.#held);
        this.#held = grown;
      }
      this.#held[this.#count] = time;
    }
    this.#count++;
  }

  examine(): AboutTimes {
    const times = this.#held.subarray(0, Math.min(this.#count, MOST_TIMES)).toSorted();
    const steps = new Float64Array(Math.max(0, times.length - 1));
    let repeated = 0;
    let some = 0;
    for (let i = 1; i < times.length; i++) {
      const step = times[i]! - times[i - 1]!;
      if (step === 0) repeated++;
      else steps[some++] = step;
    }
    const usual = some === 0 ? null : steps.subarray(0, some).toSorted()[some >>> 1]!;
    let [gaps, longest, from] = [0, 0, 0];
    const gap = usual === null ? Infinity : GAP * usual;
    for (let i = 1; i < times.length; i++) {
      const step = times[i]! - times[i - 1]!;
      if (step <= gap) continue;
      gaps++;
      if (step > longest) [longest, from] = [step, times[i - 1]!];
    }
    const none = this.#count === 0;
    return {
      first: none ? null : formatMicros(this.#first),
      last: none ? null : formatMicros(this.#last),
      repeated,
      steps_back: this.#stepsBack,
      first_step_back: this.#firstStepBack === null ? null : formatMicros(this.#firstStepBack),
      interval_us: usual,
      gaps,
      longest_gap_us: gaps > 0 ? longest : null,
      longest_gap_from: gaps > 0 ? formatMicros(from) : null,
      notes:
        this.#count > MOST_TIMES
          ? [
              `Repeated times and gaps are those of the first ${countOf(MOST_TIMES, 'record')}; everything else is of all.`,
            ]
          : [],
    };
  }
}
