import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { parseInstant } from '#shared/values/time.ts';
import type { ChartAddress } from '../../../chart/address.ts';
import { ALL, spanOfRange } from '../../../chart/time/range.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';

/** The span that the chart shows; null without records. `now` in µs. */
export function spanShown(
  { window, range = ALL }: ChartAddress,
  { first, last }: DeviceSummary,
  now: number,
): TimeSpan | null {
  if (window) return { from: Math.round(window.from), to: Math.round(window.to) };
  const length = spanOfRange(range);
  if (length !== null) return { from: now - length, to: now };
  const [from, to] = [parseInstant(first ?? ''), parseInstant(last ?? '')];
  return from === null || to === null ? null : { from, to };
}

/** The chart without a span of its own. */
export function ofAllTime({ window: _window, range: _range, ...others }: ChartAddress): ChartAddress {
  return others;
}
