import { hash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';
import type { Entry } from './entry.ts';

/** The last line of a trail, which the next one follows. */
export interface Head {
  readonly n: number;
  readonly hash: string;
}

/** Head of a trail without lines. */
export const NO_LINES: Head = { n: 0, hash: '0'.repeat(64) };

/** SHA-256 of a line without its line feed, in hex. */
export const hashOf = (line: string | Uint8Array): string => hash('sha256', line, 'hex');

/** Returns the line of an entry behind a head. */
export const lineAfter = (head: Head, entry: Omit<Entry, 'n' | 'prev'>): string =>
  canonicalJson({ ...entry, n: head.n + 1, prev: head.hash });

/** Returns the head once these lines, which follow it, are there. */
export function headAfter(head: Head, lines: readonly string[]): Head {
  const last = lines.at(-1);
  return last === undefined ? head : { n: head.n + lines.length, hash: hashOf(last) };
}
