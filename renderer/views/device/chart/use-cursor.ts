import { useCallback, useMemo, useState } from 'react';
import type { KeyReading } from '#shared/bridge/wire.ts';
import { markedAt, readoutOf, type Readout } from '../../../chart/controls/legend/readings.ts';
import type { Picture } from '../../../chart/draw/picture.ts';
import { stepFrom } from '../../../chart/draw/step.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';

interface Asked {
  readonly picture: Picture | null;
  readonly newest: readonly (KeyReading | null)[];
  /** Places of the lines that are shown. */
  readonly shown: readonly number[];
  readonly window: TimeSpan;
}

export interface Cursor {
  /** In µs; null while nothing is pointed at. */
  readonly instant: number | null;
  /** Whether it was put there by keys: it stays when the pointer leaves. */
  readonly isByKeys: boolean;
  readonly readout: Readout | null;
  readonly marked: readonly (KeyReading | null)[];
  readonly point: (instant: number | null) => void;
  /** Goes a record back or forward, or to the first or last one in the window; answers with where it is then. */
  readonly step: (to: -1 | 1 | 'first' | 'last') => number | null;
  readonly drop: () => void;
}

/** Cursor, by mouse or keys, and the readings there. */
export function useCursor({ picture, newest, shown, window }: Asked): Cursor {
  const [{ instant, isByKeys }, setCursor] = useState<{ instant: number | null; isByKeys: boolean }>(NOWHERE);
  const readout = readoutOf(picture, newest, instant);
  const marked = useMemo(() => markedAt(picture, instant), [picture, instant]);
  const point = useCallback(
    (next: number | null) =>
      setCursor((before) => (next === null && before.isByKeys ? before : { instant: next, isByKeys: false })),
    [],
  );
  const drop = useCallback(() => setCursor(NOWHERE), []);
  const step = (to: -1 | 1 | 'first' | 'last') => {
    if (!picture) return null;
    const { from, to: end } = window;
    const by = to === 'first' ? 1 : to === 'last' ? -1 : to;
    // Without a cursor a step back begins at the newest record that is seen.
    const begin =
      to === 'first' ? from - 1 : to === 'last' ? end + 1 : (instant ?? (by === 1 ? from - 1 : end + 1));
    const next = stepFrom(picture, shown, begin, by);
    if (next !== null) setCursor({ instant: next, isByKeys: true });
    return next;
  };
  return { instant, isByKeys, readout, marked, point, step, drop };
}

const NOWHERE = { instant: null, isByKeys: false };
