import { formatMicros, parseInstant } from '#shared/values/time.ts';
import { isRange, type Range } from '../../chart/time/range.ts';
import type { TimeSpan } from '../../chart/time/window.ts';
import type { AddressTail } from '../../router.ts';
import type { Zone } from '../../time.ts';

/** First state of a dashboard. */
const FIRST_RANGE: Range = '1h';

/** Span of the widgets that have no range of their own; absent fields are as at first. */
export interface DashboardShown {
  readonly range?: Range;
  /** A part of it. */
  readonly window?: TimeSpan;
  readonly zone?: Zone;
}

/** "?range=24h&from=…&to=…&zone=utc" behind the path of a dashboard; what is wrong in it counts as not said. */
export const dashboardTail: AddressTail<DashboardShown> = {
  parse(parts, query) {
    if (parts.length > 0) return null;
    const asked = new URLSearchParams(query);
    const range = asked.get('range') ?? FIRST_RANGE;
    const [from, to] = [parseInstant(asked.get('from') ?? ''), parseInstant(asked.get('to') ?? '')];
    return {
      ...(range !== FIRST_RANGE && isRange(range) && { range }),
      ...(from !== null && to !== null && from < to && { window: { from, to } }),
      ...(asked.get('zone') === 'utc' && { zone: 'utc' as const }),
    };
  },
  text({ range = FIRST_RANGE, window, zone }) {
    const query = [
      range !== FIRST_RANGE && `range=${range}`,
      window && `from=${formatMicros(window.from)}&to=${formatMicros(window.to)}`,
      zone === 'utc' && 'zone=utc',
    ].filter(Boolean);
    return query.length > 0 ? `?${query.join('&')}` : '';
  },
};

/** A span of a widget or of the dashboard. */
export interface Span {
  /** `all` with a window: that alone. */
  readonly range: Range;
  readonly window: TimeSpan | null;
}

export const spanOf = ({ range = FIRST_RANGE, window }: DashboardShown): Span => ({
  range,
  window: window ?? null,
});
