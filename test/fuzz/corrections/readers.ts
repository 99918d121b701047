import { exportRecords } from '#core/export/export.ts';
import { viewOf } from '#core/store/blocks/corrections/viewed.ts';
import { readLatest } from '#core/store/blocks/latest-reads.ts';
import { readReadings } from '#core/store/blocks/reading-reads.ts';
import { countRecords, readColumns, readPage, readWithin } from '#core/store/blocks/reads.ts';
import { readSeries } from '#core/store/blocks/series-reads.ts';
import { readSummary } from '#core/store/blocks/summary-reads.ts';
import { countWith, scanRecords } from '#core/store/log/device/scan.ts';
import { cellsOf } from '#core/store/log/device/snapshot/walk-snapshot.ts';
import { fileOf } from '#core/store/log/device/snapshot/write-snapshot.ts';
import { devicesOf, type RecordFile, type RecordStore, type Viewed } from '#core/store/store.ts';
import type { Survey, SurveyQuery } from '#core/survey/survey.ts';
import { surveyDevice } from '#core/survey/survey-device.ts';
import { FairSemaphore } from '#core/turns/semaphore.ts';
import type { TimeRange } from '#shared/values/time.ts';
import type { HeldDevice } from '../../unit/store/postgres/held-device.ts';

type Reads = Pick<
  RecordStore,
  | 'page'
  | 'columns'
  | 'scan'
  | 'count'
  | 'countWith'
  | 'within'
  | 'latest'
  | 'series'
  | 'readings'
  | 'summary'
>;

/** Every way to read devices. */
export interface Reader {
  readonly records: Reads;
  survey<Query extends SurveyQuery, Result>(
    survey: Survey<Query, Result>,
    query: Query,
    of: Viewed,
  ): Promise<Result>;
  file(of: Viewed, range: TimeRange, file: RecordFile): AsyncIterable<{ readonly bytes: Uint8Array }>;
}

/** As from blocks at hand, such as those of a folder and of threads. */
export function readerOfBlocks(devices: ReadonlyMap<string, HeldDevice>): Reader {
  const open = (of: Viewed) =>
    viewOf(
      of,
      devicesOf(of).map((id) => devices.get(id)!.whole),
    );
  return {
    records: {
      page: async (of, query) => readPage(open(of), query),
      columns: async (of, query) => readColumns(open(of), query),
      scan: (of, range) => scanRecords(open(of), range),
      count: async (of, range) => countRecords(open(of), range),
      countWith: (of, range, keys) => countWith(open(of), range, keys),
      within: async (of, range) => readWithin(open(of), range),
      latest: async (asked) => asked.map(({ device, keys }) => readLatest(open(device), keys)),
      series: (of, query) => readSeries(open(of), query),
      readings: (of, asked) => readReadings(open(of), asked),
      summary: (of) => readSummary(open(of)),
    },
    async survey({ held, rows = false, begin }, query, of) {
      const fold = begin(query);
      const { range, keys } = query;
      do
        for await (const _ of cellsOf(open(of).sources(), { range, keys, held, rows }, fold.take))
          if (fold.isOver) break;
      while (fold.again?.() === true);
      return fold.result();
    },
    file: (of, range, file) => fileOf(open(of).sources(), range, file),
  };
}

/** As a database is read, and the model. */
export function readerOfRecords(records: Reads): Reader {
  const semaphore = new FairSemaphore(1).of(null);
  const scanned = { scan: (of: Viewed, range?: TimeRange) => records.scan(of, range), threadWork: null };
  return {
    records,
    survey: (survey, query, device) =>
      surveyDevice(survey, query, { records: scanned, device, semaphore, signal: undefined }),
    file: (of, range, file) => exportRecords({ ...file, scan: records.scan(of, range) }),
  };
}
