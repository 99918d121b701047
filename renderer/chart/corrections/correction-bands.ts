import type { CorrectionKind, View } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { parseInstant } from '#shared/values/time.ts';
import type { TimeSpan } from '../time/window.ts';
import { shownSpans } from './stored-time.ts';

/** Lines above the axis, from the bottom: a lane each. */
const LANES: readonly (readonly CorrectionKind[])[] = [
  ['quality'],
  ['calibration', 'derived'],
  ['time', 'replaced'],
];

/** Lines that begin so soon after the one before, as a share of the width, are one with it. */
const NEAR = 0.012;

/** A line above the axis, and the corrections that it stands for. */
export interface CorrectionBand {
  readonly lane: number;
  /** Shares of the width, within the plot. */
  readonly left: number;
  readonly right: number;
  /** The oldest first. */
  readonly corrections: readonly ShownCorrection[];
}

/** The lines of corrections in a window of a view, by lane and from the left. */
export function correctionBands(
  corrections: readonly ShownCorrection[],
  window: TimeSpan,
  view: View,
): readonly CorrectionBand[] {
  const width = window.to - window.from;
  return LANES.flatMap((kinds, lane) => {
    const bands: { left: number; right: number; readonly of: Set<ShownCorrection> }[] = [];
    const places = corrections
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap((correction) =>
        placesOf(corrections, correction, view)
          .filter(({ from, to }) => from <= window.to && to >= window.from)
          .map(({ from, to }) => ({
            correction,
            left: Math.max(0, (from - window.from) / width),
            right: Math.min(1, (to - window.from) / width),
          })),
      )
      .toSorted((a, b) => a.left - b.left);
    for (const { correction, left, right } of places) {
      const last = bands.at(-1);
      // What lies over one another is told together.
      if (last && (left < last.right || left - last.left < NEAR)) {
        last.right = Math.max(last.right, right);
        last.of.add(correction);
      } else bands.push({ left, right, of: new Set([correction]) });
    }
    return bands.map(({ left, right, of }) => ({
      lane,
      left,
      right,
      corrections: corrections.filter((each) => of.has(each)),
    }));
  });
}

/** Where a view shows what a correction speaks of. Without corrections there is nothing of a former device. */
function placesOf(
  corrections: readonly ShownCorrection[],
  { kind, from, to, until }: ShownCorrection,
  view: View,
): readonly TimeSpan[] {
  if (kind === 'replaced')
    return view === 'raw' ? [] : [{ from: -Infinity, to: parseInstant(until ?? '') ?? -Infinity }];
  const reach = { from: parseInstant(from ?? '') ?? -Infinity, to: parseInstant(to ?? '') ?? Infinity };
  return shownSpans(corrections, reach, view);
}
