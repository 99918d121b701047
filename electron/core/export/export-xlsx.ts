import { XlsxSheets } from '../store/blocks/codec/xlsx-sheets.ts';
import type { ExportOptions, ExportPiece } from './export-options.ts';

/** Bytes that are passed on at once, about. */
const PIECE_BYTES = 64 * 1024;

/** Writes records as worksheets, of which workbook/ makes a file. */
export async function* writeSheets({
  scan,
  keys,
  style,
  signal,
}: ExportOptions): AsyncGenerator<ExportPiece, void, undefined> {
  const sheets = new XlsxSheets(keys, style);
  const placeOf = new Map(keys.map((key, place) => [key, place]));
  let length = 0;
  for await (const records of scan) {
    signal?.throwIfAborted();
    for (const record of records) {
      const cells = record.keys.flatMap((key, index) => {
        const [place, value] = [placeOf.get(key), record.values[index]];
        return place === undefined || value === undefined ? [] : [{ place, value }];
      });
      if (cells.length > 0) sheets.row(record.timestamp);
      for (const { place, value } of cells.toSorted((a, b) => a.place - b.place)) sheets.cell(place, value);
      length++;
      if (sheets.length < PIECE_BYTES) continue;
      yield { bytes: sheets.take(), length };
      length = 0;
    }
  }
  sheets.end();
  yield { bytes: sheets.take(), length };
}
