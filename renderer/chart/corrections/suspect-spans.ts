import type { View } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { parseInstant } from '#shared/values/time.ts';
import type { TimeSpan } from '../time/window.ts';
import { shownSpans } from './stored-time.ts';

/** Where a view shows values of a key that are marked as suspect, and were not marked otherwise since. In order of stored time. */
export function suspectSpans(
  corrections: readonly ShownCorrection[],
  key: string,
  view: View,
): readonly TimeSpan[] {
  const marks = corrections.flatMap(({ kind, quality, keys, from, to }) => {
    const [start, end] = [parseInstant(from ?? ''), parseInstant(to ?? '')];
    const isOfKey = kind === 'quality' && (keys?.includes(key) ?? true);
    return isOfKey && start !== null && end !== null ? { start, end, isSuspect: quality === 'suspect' } : [];
  });
  const edges = [...new Set(marks.flatMap(({ start, end }) => [start, end + 1]))].toSorted((a, b) => a - b);
  const spans: TimeSpan[] = [];
  for (const [place, from] of edges.entries()) {
    const next = edges[place + 1];
    const newest = marks.findLast(({ start, end }) => start <= from && from <= end);
    if (next === undefined || !newest?.isSuspect) continue;
    const before = spans.at(-1);
    if (before && before.to + 1 === from) spans[spans.length - 1] = { from: before.from, to: next - 1 };
    else spans.push({ from, to: next - 1 });
  }
  return spans.flatMap((span) => shownSpans(corrections, span, view));
}
