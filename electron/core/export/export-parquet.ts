import { ParquetFile } from '../store/blocks/codec/parquet-file.ts';
import type { StoredRecord } from '../store/store.ts';
import type { ExportOptions, ExportPiece } from './export-options.ts';
import { Pace } from '../turns/pace.ts';

/**
 * Writes records as a Parquet file. It says the types of its columns once, for all rows, so all of them are held until they
 * are known: here are those that are too few for a thread.
 */
export async function* writeParquet({
  scan,
  keys,
  signal,
}: ExportOptions): AsyncGenerator<ExportPiece, void, undefined> {
  const placeOf = new Map(keys.map((key, place) => [key, place]));
  const kinds = keys.map(() => ({ number: false, boolean: false, string: false }));
  const held: (readonly StoredRecord[])[] = [];
  for await (const records of scan) {
    signal?.throwIfAborted();
    held.push(records);
    for (const record of records)
      for (const [index, key] of record.keys.entries()) {
        const seen = kinds[placeOf.get(key) ?? -1];
        const value = record.values[index];
        if (seen !== undefined && value !== undefined) seen[typeof value as keyof typeof seen] = true;
      }
  }
  const file = new ParquetFile(
    keys,
    kinds.map(({ string, ...others }) => ({ ...others, text: string })),
  );
  const pace = new Pace();
  let length = 0;
  for (const records of held) {
    signal?.throwIfAborted();
    for (const record of records) {
      const cells = record.keys.flatMap((key, index) => {
        const [place, value] = [placeOf.get(key), record.values[index]];
        return place === undefined || value === undefined ? [] : [{ place, value }];
      });
      if (cells.length > 0) file.row(record.timestamp);
      for (const { place, value } of cells) file.cell(place, value);
      length++;
    }
    if (file.length === 0) continue;
    yield { bytes: file.take(), length };
    length = 0;
    await pace.pause();
  }
  file.end();
  yield { bytes: file.take(), length };
}
