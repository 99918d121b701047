import { useEffect } from 'react';
import { deviceChart } from '../../../chart/load/data.ts';
import type { ChartData } from '../../../chart/load/loader.ts';
import { selected, zoom, type TimeSpan } from '../../../chart/time/window.ts';
import type { useCursor } from './use-cursor.ts';

/** How long a window has been looked at before the next one is read. */
const REST_MS = 150;
/** Of one press of the key, or of the button. */
export const CLOSER = 0.5;

interface Looked {
  readonly data: Pick<ChartData, 'state' | 'whole'>;
  readonly window: TimeSpan;
  readonly selection: TimeSpan | null;
  readonly cursor: Pick<ReturnType<typeof useCursor>, 'instant' | 'isByKeys'>;
}

/** Has the window read that one press leads to: the selection, else half of what is shown. */
export function useAhead({ data: { state, whole }, window, selection, cursor }: Looked): void {
  const { instant, isByKeys } = cursor;
  // A mouse on its way stands at another instant each moment.
  const isSteady = instant === null || isByKeys;
  useEffect(() => {
    if (state !== 'ready' || whole === null || !(selection || isSteady)) return;
    const middle = instant ?? (window.from + window.to) / 2;
    const next = selection
      ? selected(selection.from, selection.to, whole)
      : zoom(window, CLOSER, middle, whole);
    const timer = setTimeout(() => deviceChart.expect(next), REST_MS);
    return () => clearTimeout(timer);
  }, [state, whole, window, selection, instant, isSteady]);
}
