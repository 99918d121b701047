import { useCallback } from 'react';
import { Columns, type ColumnView } from '../../../../chart/records/columns.ts';
import { readPages } from '../../../../chart/load/read.ts';
import type { TimeSpan } from '../../../../chart/time/window.ts';
import { useRead } from '../../../../components/work/use-read.ts';
import type { Place } from '../change-corrections.ts';

/** Records that a preview is computed of. */
const MOST_RECORDS = 10_000;

export interface Newest {
  /** What was asked for. */
  readonly keys: readonly string[];
  readonly view: ColumnView;
  /** Whether there are older ones. */
  readonly isCut: boolean;
}

/** The newest records of a device up to the end of a window, corrected; null until they are known, and without keys. */
export function useNewestRecords(
  { project_id, device_id }: Place,
  keys: readonly string[],
  window: TimeSpan | null,
): Newest | null {
  const question = JSON.stringify(keys);
  const end = window === null ? undefined : Math.ceil(window.to);
  const read = useCallback(async () => {
    const asked = JSON.parse(question) as readonly string[];
    if (asked.length === 0) return null;
    const columns = new Columns(asked);
    const isAll = await readPages(
      { project_id, device_id, keys: asked, view: 'corrected', ...(end !== undefined && { end }) },
      new AbortController().signal,
      (page) => {
        columns.addOlder(page);
        return columns.length < MOST_RECORDS;
      },
    );
    return { keys: asked, view: columns.view(), isCut: !isAll };
  }, [project_id, device_id, question, end]);
  const { value } = useRead(read);
  return value !== null && JSON.stringify(value.keys) === question ? value : null;
}
