import { inOrder } from '#shared/values/in-order.ts';
import { differenceOf, readSum, sumOf, sumText, type LineHash, type Run, type RunUnit } from '../runs.ts';
import type { PackageHarm, Range } from './findings.ts';

/*
 * Which stretches of a file are not as they were signed. Runs of lines that are equal are found wherever they stand; of what lies
 * between two of them the number of lines and their sum say what became of it.
 */

/** A stretch that is not as it was signed; `lines`: how many are gone or too many, 0 where it is all of them. */
export interface HarmedRange {
  readonly harm: Extract<PackageHarm, 'changed' | 'dropped' | 'doubled' | 'reordered' | 'added'>;
  readonly range: Range;
  readonly lines: number;
}

/** Every line of the file as it is now, in its order. */
export type LinesNow = readonly LineHash[];

const NOTHING: LineHash = { low: 0, high: 0 };

export function compareRuns(
  unit: RunUnit,
  signed: readonly Run[],
  now: readonly Run[],
  lines: LinesNow,
): readonly HarmedRange[] {
  return unit === 'bytes' ? compareBytes(signed, now) : compareLines(signed, now, lines);
}

const lengthOf = (runs: readonly Run[]) => runs.reduce((sum, { length }) => sum + length, 0);
const bytesFrom = (from: number, to: number): Range => ({ unit: 'bytes', from, to, since: '', before: '' });

/** Of bytes: by their place. */
function compareBytes(signed: readonly Run[], now: readonly Run[]): readonly HarmedRange[] {
  const [was, is] = [lengthOf(signed), lengthOf(now)];
  const found: HarmedRange[] = [];
  const first = signed.findIndex((run, i) => run.hash !== now[i]?.hash);
  const start = lengthOf(first === -1 ? signed : signed.slice(0, first));
  // From the first one on all stand elsewhere.
  if (is < was) return [{ harm: 'dropped', range: bytesFrom(start + 1, was), lines: was - is }];
  if (is > was) return [{ harm: 'added', range: bytesFrom(start + 1, is), lines: is - was }];
  let at = 0;
  for (const [i, run] of signed.entries()) {
    const last = found.at(-1);
    const isSame = run.hash === now[i]?.hash;
    if (!isSame && last?.range.to === at)
      found[found.length - 1] = { ...last, range: bytesFrom(last.range.from, at + run.length) };
    else if (!isSame) found.push({ harm: 'changed', range: bytesFrom(at + 1, at + run.length), lines: 0 });
    at += run.length;
  }
  return found;
}

/** Runs [from, to) of both sides between two that are equal. */
interface Gap {
  readonly signed: readonly [from: number, to: number];
  readonly now: readonly [from: number, to: number];
}

function compareLines(signed: readonly Run[], now: readonly Run[], lines: LinesNow): readonly HarmedRange[] {
  const gaps = gapsBetween(signed, now);
  const [was, is] = [new Side(signed), new Side(now)];
  const whole = gaps.map((gap) => {
    const [before, after] = [was.part(gap.signed), is.part(gap.now)];
    return { gap, before, after, excess: differenceOf(after.sum, before.sum) };
  });
  const excess = whole.reduce((sum, one) => sumOf(sum, one.excess), NOTHING);
  const count = whole.reduce((sum, { before, after }) => sum + after.lines - before.lines, 0);
  const isOnlyOrder = count === 0 && isNothing(excess);
  const copies = new Copies(lines);
  return whole.map(({ gap, before, after, excess: own }): HarmedRange => {
    const more = after.lines - before.lines;
    const asSigned = before.lines > 0 ? was.range(gap.signed) : was.rangeAt(gap.signed[0]);
    if (isOnlyOrder)
      return { harm: 'reordered', range: before.lines > 0 ? asSigned : is.range(gap.now), lines: 0 };
    if (more < 0) return { harm: 'dropped', range: asSigned, lines: after.lines === 0 ? 0 : -more };
    if (more === 0) return { harm: 'changed', range: asSigned, lines: 0 };
    const from = is.start(gap.now[0]);
    const twice = copies.within(from, from + after.lines, own, more);
    const range = is.range(gap.now);
    if (twice === null) return { harm: 'added', range, lines: before.lines === 0 ? 0 : more };
    const exact = { ...range, from: twice.from + 1, to: twice.to + 1 };
    return { harm: 'doubled', range: exact, lines: twice.to - twice.from + 1 === more ? 0 : more };
  });
}

const isNothing = ({ low, high }: LineHash) => low === 0 && high === 0;

/** Runs with the lines before each. */
class Side {
  readonly #runs: readonly Run[];
  readonly #starts: readonly number[];

  constructor(runs: readonly Run[]) {
    this.#runs = runs;
    let at = 0;
    this.#starts = [0, ...runs.map(({ length }) => (at += length))];
  }

  start(run: number): number {
    return this.#starts[run] ?? 0;
  }

  part([from, to]: readonly [number, number]): { readonly lines: number; readonly sum: LineHash } {
    const sum = this.#runs.slice(from, to).reduce((all, run) => sumOf(all, readSum(run.sum)), NOTHING);
    return { lines: this.start(to) - this.start(from), sum };
  }

  range([from, to]: readonly [number, number]): Range {
    return {
      unit: 'lines',
      from: this.start(from) + 1,
      to: this.start(to),
      since: this.#runs[from]?.time ?? '',
      before: this.#runs[to]?.time ?? '',
    };
  }

  /** Where nothing of this side lies: the line before. */
  rangeAt(run: number): Range {
    const at = Math.max(1, this.start(run));
    return { unit: 'lines', from: at, to: at, since: '', before: '' };
  }
}

/** Which lines are there more than once. */
class Copies {
  readonly #lines: LinesNow;
  #counts: Map<string, number> | null = null;

  constructor(lines: LinesNow) {
    this.#lines = lines;
  }

  /**
   * Returns the first and the last of so many lines in [from, to) that are there twice and come to that sum, from 0; null where
   * there are none such.
   */
  within(
    from: number,
    to: number,
    excess: LineHash,
    count: number,
  ): { readonly from: number; readonly to: number } | null {
    const wanted = sumText(excess);
    // The later copies, which came to the others.
    let sum = NOTHING;
    for (let i = from; i < to; i++) {
      sum = sumOf(sum, this.#lines[i] ?? NOTHING);
      const out = i - count;
      if (out >= from) sum = differenceOf(sum, this.#lines[out] ?? NOTHING);
      if (i - from + 1 < count || sumText(sum) !== wanted) continue;
      const first = i - count + 1;
      if (this.#areCopies(first, i + 1)) return this.#last(first, i, to, count);
    }
    return null;
  }

  /** Of the copies of one stretch the later one. */
  #last(first: number, last: number, to: number, count: number) {
    const next = first + count;
    const follows = next + count <= to && this.#areEqual(first, next, count);
    return follows ? { from: next, to: last + count } : { from: first, to: last };
  }

  #areEqual(a: number, b: number, count: number): boolean {
    for (let i = 0; i < count; i++) {
      const [one, other] = [this.#lines[a + i], this.#lines[b + i]];
      if (one?.low !== other?.low || one?.high !== other?.high) return false;
    }
    return true;
  }

  #areCopies(from: number, to: number): boolean {
    const counts = (this.#counts ??= this.#count());
    for (let i = from; i < to; i++) if ((counts.get(this.#name(i)) ?? 0) < 2) return false;
    return true;
  }

  #count(): Map<string, number> {
    const counts = new Map<string, number>();
    for (let i = 0; i < this.#lines.length; i++) {
      const name = this.#name(i);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  #name(i: number): string {
    return sumText(this.#lines[i] ?? NOTHING);
  }
}

/** Where two lists of runs differ, between the longest of what is there once in both and in order. */
function gapsBetween(signed: readonly Run[], now: readonly Run[]): readonly Gap[] {
  const most = Math.min(signed.length, now.length);
  let head = 0;
  while (head < most && signed[head]?.hash === now[head]?.hash) head++;
  let tail = 0;
  while (tail < most - head && signed.at(-1 - tail)?.hash === now.at(-1 - tail)?.hash) tail++;
  const [signedEnd, nowEnd] = [signed.length - tail, now.length - tail];
  const anchors = [...anchorsWithin(signed, now, head, signedEnd, nowEnd), [signedEnd, nowEnd] as const];
  const gaps: Gap[] = [];
  let [a, b] = [head, head];
  for (const [nextA, nextB] of anchors) {
    let [toA, toB] = [nextA, nextB];
    while (a < toA && b < toB && signed[a]?.hash === now[b]?.hash) [a, b] = [a + 1, b + 1];
    while (a < toA && b < toB && signed[toA - 1]?.hash === now[toB - 1]?.hash)
      [toA, toB] = [toA - 1, toB - 1];
    if (a < toA || b < toB) gaps.push({ signed: [a, toA], now: [b, toB] });
    [a, b] = [nextA + 1, nextB + 1];
  }
  return gaps;
}

/** Pairs of equal runs that are there once in both, in order on both sides, as many as there are: a longest increasing subsequence. */
function anchorsWithin(
  signed: readonly Run[],
  now: readonly Run[],
  from: number,
  signedEnd: number,
  nowEnd: number,
): readonly (readonly [number, number])[] {
  const once = (runs: readonly Run[], end: number) => {
    const places = new Map<string, number>();
    for (let i = from; i < end; i++) {
      const { hash } = runs[i]!;
      places.set(hash, places.has(hash) ? -1 : i);
    }
    return places;
  };
  const inNow = once(now, nowEnd);
  const pairs = [...once(signed, signedEnd)].flatMap(([hash, i]) => {
    const j = inNow.get(hash) ?? -1;
    return i >= 0 && j >= 0 ? [[i, j] as const] : [];
  });
  return inOrder(pairs.map(([, j]) => j)).map((place) => pairs[place]!);
}
