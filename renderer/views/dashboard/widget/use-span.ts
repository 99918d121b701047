import { useMemo } from 'react';
import { problemOfWidget, rangeOf } from '#shared/domain/dashboard.ts';
import type { Widget } from '#shared/schema/schemas.ts';
import { ALL, labelOfRange, rangeOfSpan, type Range } from '../../../chart/time/range.ts';
import { formatTime, type Zone } from '../../../time.ts';
import type { Span } from '../dashboard-address.ts';

/** Seconds, minutes and hours: a range is at most so many of its unit. */
const MOST_OF_UNIT = 999_999;

/** The range of so many seconds up to now; of very many, that of the next whole minute or hour. */
export function rangeOfSeconds(seconds: number): Range {
  const unit = [1, 60].find((size) => seconds / size <= MOST_OF_UNIT) ?? 3_600;
  return rangeOfSpan(Math.ceil(seconds / unit) * unit * 1e6) ?? ALL;
}

interface OwnSpan {
  readonly span: Span;
  readonly isOwn: boolean;
  /** What is wrong with the widget; null where nothing is. */
  readonly problem: string | null;
}

/** The span of a widget: its own, else that of the dashboard. */
export function useSpan(widget: Widget, ofDashboard: Span): OwnSpan {
  const problem = useMemo(() => problemOfWidget(widget), [widget]);
  // As text: what was read anew and says the same draws nothing anew.
  const text = JSON.stringify(problem === null ? ownSpan(widget) : null);
  const own = useMemo(() => JSON.parse(text) as Span | null, [text]);
  return { span: own ?? ofDashboard, isOwn: own !== null, problem };
}

/** Null where the dashboard's is meant; of a type that is not known, too. */
function ownSpan({ range }: Widget): Span | null {
  try {
    const own = rangeOf(range);
    if (own === null) return null;
    if ('last_s' in own) return { range: rangeOfSeconds(own.last_s), window: null };
    return { range: ALL, window: { from: own.start, to: own.end } };
  } catch {
    // A type of other programs: its range is theirs.
    return null;
  }
}

/** `Last 6 hours`, `2026-11-19 18:00 – 2026-11-19 19:00`. */
export function spanWords({ range, window }: Span, zone: Zone): string {
  if (window === null) return labelOfRange(range);
  const [from, to] = [window.from, window.to].map((at) => formatTime(Math.round(at / 1e6) * 1e6, zone));
  return `${from} – ${to}`;
}
