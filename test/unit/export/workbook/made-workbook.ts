import { exportRecords } from '#core/export/export.ts';
import type { ExportPiece } from '#core/export/export-options.ts';
import { writeWorkbook, type Workbook } from '#core/export/workbook/write-workbook.ts';
import { XlsxRows } from '#core/store/blocks/query/xlsx-rows.ts';
import type { CsvStyle, StoredRecord, Value } from '#core/store/store.ts';
import { cellBatches } from '../../../helpers/store/cell-batches.ts';

/* Workbooks of records. */

export type Pieces = AsyncGenerator<ExportPiece, void, undefined>;

export const sheetsOf = (
  records: readonly StoredRecord[],
  keys: readonly string[],
  style?: CsvStyle,
): Pieces => {
  async function* scan() {
    yield records;
  }
  return exportRecords({ scan: scan(), keys, format: 'xlsx', style });
};

/** The same from cells, as a thread reads them, `atOnce` rows at a time. */
export async function* fromCells(
  uploads: readonly (readonly StoredRecord[])[],
  keys: readonly string[],
  atOnce: number,
  style?: CsvStyle,
): Pieces {
  const rows = new XlsxRows({ keys, style });
  for (const batch of cellBatches(uploads, keys, atOnce)) {
    rows.add(batch);
    yield { bytes: rows.take(), length: batch.size };
  }
  rows.end();
  yield { bytes: rows.take(), length: 0 };
}

export async function bytesOf(workbook: Partial<Workbook>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of writeWorkbook({ devices: [], tables: [], ...workbook })) pieces.push(bytes);
  return Buffer.concat(pieces);
}

export const one = (pieces: Pieces, name = 'PT-107') => bytesOf({ devices: [{ name, pieces }] });

export const record = (timestamp: number, data: Readonly<Record<string, Value>>): StoredRecord => {
  const keys = Object.keys(data).toSorted();
  return { timestamp, received: 0, keys, values: keys.map((key) => data[key]!) };
};

/** 2026-03-02T20:30:21.202946Z. */
export const TIME = 1_772_483_421_202_946;
