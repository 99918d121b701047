import { useCallback, useEffect, useState } from 'react';
import type { SeriesPicture } from '#shared/bridge/wire.ts';
import type { Micros } from '#shared/values/time.ts';
import { readSeries } from '../../../../chart/load/read.ts';
import type { TimeSpan } from '../../../../chart/time/window.ts';
import { useRead } from '../../../../components/work/use-read.ts';
import type { Place } from '../change-corrections.ts';

/** Columns of a preview. */
const PREVIEW_COLUMNS = 400;

/** What was stored of a key in a window, or of all time, as columns of a curve; null until it is known, and without a key. */
export function useRawCurve(of: Place, key: string | null, window: TimeSpan | null): SeriesPicture | null {
  const { project_id, device_id } = of;
  const [from, to] = [window?.from, window?.to];
  const read = useCallback(async () => {
    if (key === null) return null;
    const span =
      from === undefined || to === undefined ? {} : { start: Math.floor(from), end: Math.ceil(to) };
    const asked = {
      project_id,
      device_id,
      keys: [key],
      view: 'raw',
      width: PREVIEW_COLUMNS,
      ...span,
    } as const;
    return readSeries(asked, new AbortController().signal);
  }, [project_id, device_id, key, from, to]);
  return useRead(read).value;
}

/** What was stored of a key nearest to a moment; null where nothing was, until it is known, and without a moment. */
export function useReadingAt(of: Place, key: string | null, at: Micros | null): number | null {
  const { project_id, device_id } = of;
  const [found, setFound] = useState<{ readonly of: string; readonly value: number | null } | null>(null);
  const question = key === null || at === null ? null : JSON.stringify([key, at]);
  useEffect(() => {
    if (question === null) return;
    const [name, instant] = JSON.parse(question) as [string, number];
    const given = new AbortController();
    const asked = {
      project_id,
      device_id,
      keys: [name],
      view: 'raw',
      start: instant,
      end: instant,
      width: 1,
    } as const;
    readSeries(asked, given.signal).then(
      (series) => setFound({ of: question, value: nearestOf(series, instant) }),
      // Without the service nothing is saved either, and that is said.
      () => !given.signal.aborted && setFound({ of: question, value: null }),
    );
    return () => given.abort();
  }, [question, project_id, device_id]);
  return found?.of === question ? found.value : null;
}

function nearestOf({ keys: [key] }: SeriesPicture, at: Micros): number | null {
  if (!key) return null;
  if (key.counts[0]) return key.last[0] ?? null;
  const { before, after } = key;
  if (before && after) return at - before.instant <= after.instant - at ? before.value : after.value;
  return (before ?? after)?.value ?? null;
}
