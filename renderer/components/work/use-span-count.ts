import { useCallback } from 'react';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { ask } from '../../bridge/ask.ts';
import { countOf } from '../../format.ts';
import { useRead, type Read } from './use-read.ts';

interface SpanCount<Known> extends Pick<Read<unknown>, 'error' | 'retry'> {
  /** Records of the span that are shown, and alone may be deleted; what was known before until they were counted. */
  readonly shown: number | Known;
  /** The span as operations take it. */
  readonly span: {
    readonly project_id: string;
    readonly device_id: string;
    readonly start: string;
    readonly end: string;
  };
  /** Counts again. Rejects where there are other records than were shown, and shows how many. */
  readonly requireShown: () => Promise<void>;
}

/** The records that a dialog is about to delete. `known`: how many there were when it was opened; null: that is not known. */
export function useSpanCount<Known extends number | null>(
  project_id: string,
  device_id: string,
  { from, to }: { readonly from: Micros; readonly to: Micros },
  known: Known,
): SpanCount<Known> {
  const [start, end] = [formatMicros(from), formatMicros(to)];
  const span = { project_id, device_id, start, end };
  const count = useCallback(
    () => ask('records.count', { project_id, device_id, start, end }),
    [project_id, device_id, start, end],
  );
  const { value, error, retry, readNow } = useRead(count);
  const shown = value === null ? known : value.records;

  async function requireShown(): Promise<void> {
    const { records } = await readNow();
    if (records !== shown)
      throw new Error(`There are ${countOf(records, 'record')} by now. Nothing was deleted.`);
  }
  return { shown, span, error, retry, requireShown };
}
