import { useCallback } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { Excursions } from '#shared/operations/records/excursions.ts';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import type { Times } from '#shared/operations/records/times.ts';
import { formatMicros } from '#shared/values/time.ts';
import { ask } from '../../../bridge/ask.ts';
import { may } from '../../../bridge/distant.ts';
import type { Strip } from '../../../chart/states/strip.ts';
import { readStrips } from '../../../chart/states/use-states.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { useRead } from '../../../components/work/use-read.ts';

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  readonly keys: readonly string[];
  /** Those of them with a normal range. */
  readonly ranged: readonly string[];
  readonly span: TimeSpan;
  readonly summary: DeviceSummary;
  readonly view: View;
}

/** Facts of a span for its report. */
export interface ReportFacts {
  readonly statistics: ReadonlyMap<string, KeyStatistics>;
  /** Of the device, the oldest first. */
  readonly corrections: readonly ShownCorrection[];
  readonly notes: readonly Note[];
  readonly times: Times;
  /** Of the keys with a normal range. */
  readonly excursions: readonly Excursions[];
  readonly strips: readonly Strip[];
  /** That touch the span, newest first. */
  readonly alarms: readonly Alarm[];
}

/** Gaps that are listed. */
const MOST_GAPS = 20;
/** Excursions that are listed of each key. */
const MOST_EXCURSIONS = 20;
/** Alarms that are listed. */
export const MOST_ALARMS_LISTED = 100;
/** Pixels that states are told apart by. */
const STRIP_WIDTH = 640;

/** Reads what a report says beside its chart: once, so that all of it is of one moment. */
export function useReport({ project_id, device_id, keys, ranged, span: { from, to }, summary, view }: Asked) {
  const named = keys.join(',');
  const limited = ranged.join(',');
  const read = useCallback(async (): Promise<ReportFacts> => {
    const device = { project_id, device_id };
    const span = { start: formatMicros(Math.floor(from)), end: formatMicros(Math.ceil(to)) };
    const outside = may('excursions.get') && limited !== '' ? limited.split(',') : [];
    const [statistics, corrections, notes, times, excursions, strips, alarms] = await Promise.all([
      named === '' ? [] : ask('statistics.get', { ...device, ...span, keys: named, view }),
      may('corrections.list') ? ask('corrections.list', device) : [],
      ask('notes.list', { ...device, ...span, view }),
      ask('times.get', { ...device, ...span, limit: MOST_GAPS, view }),
      Promise.all(
        outside.map((key) =>
          ask('excursions.get', { ...device, ...span, key, limit: MOST_EXCURSIONS, view }),
        ),
      ),
      readStrips(device, { summary, view, window: { from, to }, width: STRIP_WIDTH }),
      may('alarms.list') ? ask('alarms.list', { ...device, ...span, limit: MOST_ALARMS_LISTED }) : [],
    ]);
    const byKey = new Map(statistics.map((one) => [one.key, one]));
    return { statistics: byKey, corrections, notes, times, excursions, strips, alarms };
  }, [project_id, device_id, named, limited, from, to, summary, view]);
  return useRead(read, { isStill: true });
}
