import type { HARMS } from '#shared/domain/audit.ts';
import { inOrder } from '#shared/values/in-order.ts';
import { NO_LINES, type Head } from './chain.ts';

/** A line, as far as it says where it belongs. */
export interface ReadLine {
  /** Null where it cannot be read. */
  readonly n: number | null;
  readonly prev: string;
  readonly hash: string;
  readonly place: string;
}

/** What is not as it was written. */
export interface Finding {
  readonly harm: (typeof HARMS)[number];
  /** Numbers of the entries, from and to. */
  readonly from: number;
  readonly to: number;
  /** Where the line stands; null for one that is gone. */
  readonly place: string | null;
  /** For people to read. */
  readonly message: string;
}

/** Line that stands where its number says. */
type InPlace = ReadLine & { readonly n: number };

interface Known {
  /** Number of the first line that there should be. */
  readonly first: number;
  /** The last line, as it is known beside the lines; null for not at all. */
  readonly head: Head | null;
}

/** Returns what is wrong with lines that are not as they were written; `lines` as they stand. */
export function judge(lines: readonly ReadLine[], known: Known): Finding[] {
  const isThere = (line: ReadLine): line is InPlace => line.n !== null && line.n >= known.first;
  const places = lines.flatMap((line, at) => (isThere(line) ? [at] : []));
  const kept = inOrder(places.map((at) => lines[at]?.n ?? 0)).map((i) => places[i] ?? 0);
  const inPlace = kept.map((at) => lines[at]).filter((line) => line !== undefined && isThere(line));
  const isKept = new Set(kept);
  const astray = lines.filter((line, at) => line.n !== null && !isKept.has(at)) as InPlace[];
  return [
    ...gaps(lines, kept, astray, known),
    ...strays(astray, inPlace),
    ...changes(byNumber(inPlace, astray), known),
  ].toSorted((a, b) => a.from - b.from || a.to - b.to);
}

/** Numbers between lines in place that no line has, or only one that cannot be read. */
function gaps(
  lines: readonly ReadLine[],
  kept: readonly number[],
  astray: readonly InPlace[],
  { first, head }: Known,
): Finding[] {
  const moved = new Set(astray.map(({ n }) => n));
  const found: Finding[] = [];
  let next = first;
  let from = 0;
  /** Before the line in place `at` of the number `end`; where that is not known, there may be any number before it. */
  const close = (at: number, end: number, isOpen = false) => {
    for (const line of lines.slice(from, at)) {
      if (line.n !== null) continue;
      const isOne = next < end || isOpen;
      const n = isOne ? next++ : Math.max(first, next - 1);
      const which = isOne ? `entry ${n}` : 'a line that is none';
      const message = `${line.place}: ${which} cannot be read.`;
      found.push({ harm: 'unreadable', from: n, to: n, place: line.place, message });
    }
    for (let n = next; n < end;) {
      if (moved.has(n)) {
        n++;
        continue;
      }
      let to = n;
      while (to + 1 < end && !moved.has(to + 1)) to++;
      const which = to === n ? `Entry ${n} is` : `Entries ${n} to ${to} are`;
      // Only the next one tells whether one is as it was written.
      const before = n > first ? `; so nobody can say whether entry ${n - 1} is as it was written` : '';
      found.push({ harm: 'missing', from: n, to, place: null, message: `${which} missing${before}.` });
      n = to + 1;
    }
    next = end + 1;
    from = at + 1;
  };
  for (const at of kept) close(at, lines[at]?.n ?? 0);
  close(lines.length, Math.max(next, (head?.n ?? 0) + 1), head === null);
  return found;
}

/** Lines that stand elsewhere than their numbers say. */
function strays(astray: readonly InPlace[], inPlace: readonly InPlace[]): Finding[] {
  const there = new Set(inPlace.map(({ n }) => n));
  return astray.map(({ n, place }) => {
    const isAdded = there.has(n);
    return {
      harm: isAdded ? 'added' : 'moved',
      from: n,
      to: n,
      place,
      message: isAdded
        ? `${place}: entry ${n} stands there once more.`
        : `${place}: entry ${n} does not stand where its number says.`,
    } as const;
  });
}

/** A line of each number that there is: one in place where there is one. */
function byNumber(inPlace: readonly InPlace[], astray: readonly InPlace[]): InPlace[] {
  const lines = new Map([...astray, ...inPlace].map((line) => [line.n, line]));
  return [...lines.values()].toSorted((a, b) => a.n - b.n);
}

/** Lines that are not those that the next one was written behind; `lines` by their numbers. */
function changes(lines: readonly InPlace[], { first, head }: Known): Finding[] {
  const found: Finding[] = [];
  const changed = (from: InPlace, to: InPlace, message: string) =>
    found.push({
      harm: 'changed',
      from: from.n,
      to: to.n,
      place: to.place,
      message: `${to.place}: ${message}`,
    });
  let run: InPlace | null = null;
  const begin = lines[0];
  if (begin?.n === 1 && first === 1 && begin.prev !== NO_LINES.hash) run = begin;
  for (const [i, line] of lines.entries()) {
    const next = lines[i + 1];
    const isNext = next?.n === line.n + 1;
    const isEnd = head !== null && line.n === head.n;
    const isBroken = (isNext && next.prev !== line.hash) || (isEnd && line.hash !== head.hash);
    const isVouched = isNext || isEnd;
    if (isBroken) run ??= line;
    else if (run) {
      const last = lines[i - 1] ?? line;
      if (run === line) changed(line, line, `entry ${line.n} was changed.`);
      else if (isVouched) tellRun(run, last, changed);
      else changed(run, line, `entry ${run.n} or ${line.n} was changed.`);
      run = null;
    }
    if (head !== null && line.n > head.n)
      found.push({
        harm: 'added',
        from: line.n,
        to: line.n,
        place: line.place,
        message: `${line.place}: entry ${line.n} was added behind the last one, which is ${head.n}.`,
      });
  }
  const end = lines.at(-1);
  if (run && end) tellRun(run, end, changed);
  return found;
}

function tellRun(
  run: InPlace,
  last: InPlace,
  changed: (from: InPlace, to: InPlace, message: string) => void,
): void {
  if (run === last) changed(run, last, `entry ${run.n} was changed.`);
  else changed(run, last, `entry ${last.n} was changed, and those before it from ${run.n} on may have been.`);
}
