import type { RecordFile, WriteSnapshot } from '../../../store.ts';
import type { TimeRange } from '#shared/values/time.ts';
import { createFileRows, type FileRows } from '../../../blocks/query/file-rows.ts';
import type { SortedRows } from '../../../blocks/query/sorted-rows.ts';
import { Timeline } from '../../../blocks/query/timeline.ts';
import { readSnapshot } from './read-snapshot.ts';
import { scanRows } from '../scan.ts';

/** Bytes that go on at once: enough to be worth the way to another thread. */
const PIECE_BYTES = 128 * 1024;

/** Bytes of a file, and how many records were read for them. */
interface FilePiece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly length: number;
}

/** Writes what snapshot.ts tells of a device, in any thread. */
export const writeSnapshot: WriteSnapshot = (parts, range, file) =>
  readSnapshot(parts, (sources) => fileOf(sources, range, file));

/** The same of sources at hand. */
export async function* fileOf(
  sources: readonly SortedRows[],
  range: TimeRange,
  file: RecordFile,
): AsyncGenerator<FilePiece> {
  const timeline = new Timeline(sources);
  const rows = await rowsOf(file, timeline, range);
  yield* inPieces(timeline, range, rows, new Set(file.keys));
}

async function rowsOf(
  { format, ...how }: RecordFile,
  timeline: Timeline,
  range: TimeRange,
): Promise<FileRows> {
  switch (format) {
    case 'parquet':
      return parquet(timeline, range, how.keys);
    case 'xlsx':
      return new (await import('../../../blocks/query/xlsx-rows.ts')).XlsxRows(how);
    default:
      return createFileRows({ format, ...how });
  }
}

/** The types of the columns are found in a first reading. */
async function parquet(timeline: Timeline, range: TimeRange, keys: readonly string[]): Promise<FileRows> {
  const { KindsOfRows, ParquetRows } = await import('../../../blocks/query/parquet-rows.ts');
  const seen = new KindsOfRows(keys);
  for await (const batch of scanRows(timeline, range, { keys: new Set(keys), received: false }))
    seen.add(batch);
  return new ParquetRows(keys, seen.kinds);
}

async function* inPieces(
  timeline: Timeline,
  range: TimeRange,
  file: FileRows,
  keys: ReadonlySet<string>,
): AsyncGenerator<FilePiece> {
  let length = 0;
  for await (const batch of scanRows(timeline, range, { keys, received: false })) {
    file.add(batch);
    length += batch.size;
    if (file.length < PIECE_BYTES) continue;
    yield { bytes: file.take(), length };
    length = 0;
  }
  file.end();
  if (file.length > 0 || length > 0) yield { bytes: file.take(), length };
}
