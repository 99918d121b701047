import type { Micros } from '#shared/values/time.ts';
import type { TimeSpan } from '../time/window.ts';

/** A stretch of time that a rule found, of an alarm or of one that is tried. */
export interface AlarmSpan {
  readonly id: string;
  readonly from: Micros;
  /** Null: until now. */
  readonly to: Micros | null;
  readonly kind: 'open' | 'ended' | 'withdrawn' | 'tried';
  /** Words about it. */
  readonly words: string;
}

/** Band over a plot, and the stretches that it stands for, as shares of the width within the plot. */
export interface AlarmBand {
  readonly left: number;
  readonly right: number;
  /** The earliest first. */
  readonly spans: readonly AlarmSpan[];
  readonly kind: AlarmSpan['kind'];
}

/** Bands that lie so near to one another, as a share of the width, are one: each can be pressed. */
const NEAR = 0.006;
/** Of a band of several the one that matters most says how it looks. */
const WEIGHT: readonly AlarmSpan['kind'][] = ['withdrawn', 'ended', 'open'];

/** The bands in a window, from the left; those that are tried stand apart from alarms. */
export function alarmBands(spans: readonly AlarmSpan[], window: TimeSpan): readonly AlarmBand[] {
  const isTried = ({ kind }: AlarmSpan) => kind === 'tried';
  return [
    ...joined(
      spans.filter((span) => !isTried(span)),
      window,
    ),
    ...joined(spans.filter(isTried), window),
  ];
}

function joined(spans: readonly AlarmSpan[], { from, to }: TimeSpan): readonly AlarmBand[] {
  const width = to - from;
  const bands: { left: number; right: number; readonly spans: AlarmSpan[]; kind: AlarmSpan['kind'] }[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const end = span.to ?? Infinity;
    if (end < from || span.from > to) continue;
    const left = Math.max(0, (span.from - from) / width);
    const right = Math.min(1, (end - from) / width);
    const last = bands.at(-1);
    if (!last || left - last.right > NEAR) {
      bands.push({ left, right, spans: [span], kind: span.kind });
      continue;
    }
    last.right = Math.max(last.right, right);
    last.spans.push(span);
    if (WEIGHT.indexOf(span.kind) > WEIGHT.indexOf(last.kind)) last.kind = span.kind;
  }
  return bands;
}
