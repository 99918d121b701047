import type { TimeSpan } from '../time/window.ts';
import type { Segment } from './strip.ts';

/* What a strip is drawn of, on the screen and in pictures. */

export const BAR_HEIGHT = 22;
/** Pixels of the line at which a segment begins. */
const EDGE = 1.5;
/** Pixels that a letter takes, and what is left free at the sides of a word. */
const LETTER = 7;
const ROOM = 10;
/** Narrower segments have no line at their beginning: it would be all of them. */
const NARROW = 3;

/** Where an instant lies, in pixels. */
export function xOf({ from, to }: TimeSpan, width: number): (instant: number) => number {
  return (instant) => ((instant - from) / (to - from)) * width;
}

interface WordPaths {
  /** The place of the word among those of its strip; −1 where several values lie within a pixel. */
  readonly place: number;
  readonly area: string;
  /** Where each segment begins: two of one word may follow one another. */
  readonly edges: string;
}

/** One path for all segments of a word: few elements, however many segments there are. */
export function pathsOf(
  segments: readonly Segment[],
  x: (instant: number) => number,
  top = 0,
): readonly WordPaths[] {
  const paths = new Map<number, { area: string; edges: string }>();
  for (const { from, to, place } of segments) {
    const path = paths.get(place) ?? { area: '', edges: '' };
    const left = x(from).toFixed(2);
    const wide = Math.max(1, x(to) - x(from));
    path.area += `M${left} ${top}h${wide.toFixed(2)}v${BAR_HEIGHT}h-${wide.toFixed(2)}z`;
    if (wide > NARROW) path.edges += `M${left} ${top}h${EDGE}v${BAR_HEIGHT}h-${EDGE}z`;
    paths.set(place, path);
  }
  return [...paths].map(([place, path]) => ({ place, ...path }));
}

interface WordLabel {
  readonly index: number;
  readonly x: number;
  readonly text: string;
}

/** The words of the segments that have room for them between pixels `begin` and `end`, cut where it is little. */
export function labelsOf(
  segments: readonly Segment[],
  x: (instant: number) => number,
  { begin, end }: { readonly begin: number; readonly end: number },
): readonly WordLabel[] {
  return segments.flatMap(({ from, to, word }, index): WordLabel[] => {
    const [left, right] = [Math.max(begin, x(from)), Math.min(end, x(to))];
    const letters = Math.floor((right - left - ROOM) / LETTER);
    if (word === null || letters < Math.min(2, word.length)) return [];
    const text = word.length <= letters ? word : letters < 4 ? '' : `${word.slice(0, letters - 1)}…`;
    return text === '' ? [] : [{ index, x: left + ROOM / 2 + EDGE, text }];
  });
}
