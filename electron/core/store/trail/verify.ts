import { Pace } from '../../turns/pace.ts';
import { hashOf, NO_LINES, type Head } from './chain.ts';
import { judge, type Finding, type ReadLine } from './judge.ts';
import { readLink } from './read-line.ts';
import type { StoredLine, Trail } from './trail.ts';

/** Result of looking at every line of a trail. */
export interface Verified {
  /** How many lines there are. */
  readonly entries: number;
  /** Numbers of the first and the last one; null where there is none. */
  readonly first: number | null;
  readonly last: number | null;
  /** SHA-256 of the last line: whoever noted it knows later that nothing before it was changed. */
  readonly hash: string | null;
  /** How many findings there are; `findings` has the first of them. */
  readonly harmed: number;
  readonly findings: readonly Finding[];
}

/** Findings that are told at most. */
export const MOST_FINDINGS = 100;

/** What is looked at: the lines of a store, or of a file, of which nobody knows the head. */
interface Verifiable extends Pick<Trail, 'lines' | 'first'> {
  /** What the store knows of the last line beside the lines; null for nothing. */
  readonly head: Head | null;
}

/**
 * Looks at every line, in slices of time, and names each that is gone, was changed, stands elsewhere or was added. What a trail
 * cannot show is one that somebody wrote anew from a line on to its end, head included: that only who noted a hash of it finds.
 */
export async function verifyTrail(trail: Verifiable): Promise<Verified> {
  return (await verifyWhole(trail)) ?? (await verifyHarmed(trail));
}

/** In memory for a line at a time; null where anything is not as it was written. */
async function verifyWhole({ lines, first, head }: Verifiable): Promise<Verified | null> {
  const pace = new Pace();
  let last: Head = { n: first - 1, hash: first === 1 ? NO_LINES.hash : '' };
  let entries = 0;
  for await (const { text } of lines()) {
    const link = readLink(text);
    const follows = link?.n === last.n + 1 && (last.hash === '' || link.prev === last.hash);
    if (!follows) return null;
    last = { n: link.n, hash: hashOf(text) };
    entries++;
    await pace.pause();
  }
  const isEmpty = entries === 0;
  if (head && (isEmpty ? head.n > 0 : last.n !== head.n || last.hash !== head.hash)) return null;
  return {
    entries,
    first: isEmpty ? null : first,
    last: isEmpty ? null : last.n,
    hash: isEmpty ? null : last.hash,
    harmed: 0,
    findings: [],
  };
}

async function verifyHarmed({ lines, first, head }: Verifiable): Promise<Verified> {
  const pace = new Pace();
  const read: ReadLine[] = [];
  for await (const line of lines()) {
    read.push(readOne(line));
    await pace.pause();
  }
  const findings = judge(read, { first, head });
  const numbers = read.flatMap(({ n }) => n ?? []);
  const end = read.at(-1);
  return {
    entries: read.length,
    first: numbers.length === 0 ? null : numbers.reduce((a, b) => Math.min(a, b)),
    last: numbers.length === 0 ? null : numbers.reduce((a, b) => Math.max(a, b)),
    hash: end?.hash ?? null,
    harmed: findings.length,
    findings: findings.slice(0, MOST_FINDINGS),
  };
}

function readOne({ text, place }: StoredLine): ReadLine {
  const link = readLink(text);
  return { n: link?.n ?? null, prev: link?.prev ?? '', hash: hashOf(text), place };
}
