import type { CsvStyle, StoredRecord, Value } from '../store/store.ts';
import { csvHead, csvText, escapeFormula } from '../store/blocks/codec/csv-text.ts';
import { createZonedText } from '../base/zoned-time.ts';
import type { ExportOptions, ExportPiece } from './export-options.ts';
import type { FileFormat } from '#shared/domain/file-formats.ts';
import { formatMicros } from '#shared/values/time.ts';

/** Text is passed on in pieces of about this many characters. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * Writes records as UTF-8, piece by piece, in the order of the scan. Importing NDJSON again gives equal records. So does
 * CSV, with one exception: a lone surrogate has no UTF-8 and becomes U+FFFD there. For that, every text of CSV stands in
 * quotes and nothing else does. Texts that a spreadsheet takes for formulas are written as they are, unless the style says
 * otherwise: this is data.
 */
export async function* exportRecords(options: ExportOptions): AsyncGenerator<ExportPiece, void, undefined> {
  const { scan, keys, format, style, signal } = options;
  if (format === 'parquet') {
    const { writeParquet } = await import('./export-parquet.ts');
    return yield* writeParquet(options);
  }
  if (format === 'xlsx') {
    const { writeSheets } = await import('./export-xlsx.ts');
    return yield* writeSheets(options);
  }
  const encoder = new TextEncoder();
  const { head, writeRecord } = TEXT_FORMATS[format](keys, style);
  let text = head;
  let length = 0;
  for await (const records of scan) {
    signal?.throwIfAborted();
    for (const record of records) {
      text += writeRecord(record);
      length++;
      if (text.length < PIECE_CHARACTERS) continue;
      yield { bytes: encoder.encode(text), length };
      text = '';
      length = 0;
    }
  }
  if (text !== '' || length > 0) yield { bytes: encoder.encode(text), length };
}

interface TextFormat {
  readonly head: string;
  readonly writeRecord: (record: StoredRecord) => string;
}

const TEXT_FORMATS: Readonly<Record<FileFormat, (keys: readonly string[], style?: CsvStyle) => TextFormat>> =
  {
    csv: (keys, style) => ({ head: csvHead(keys, style), writeRecord: csvWriter(keys, style) }),
    ndjson: (keys) => ({ head: '', writeRecord: ndjsonWriter(keys) }),
  };

/** A line of JSON, timestamp first; the empty text for a record without any of the keys. */
function ndjsonWriter(keys: readonly string[]): (record: StoredRecord) => string {
  const names = new Map(keys.map((key) => [key, `,${JSON.stringify(key)}:`]));
  return (record) => {
    let fields = '';
    for (const [index, key] of record.keys.entries()) {
      const name = names.get(key);
      const value = record.values[index];
      if (name !== undefined && value !== undefined)
        fields += name + (typeof value === 'string' ? JSON.stringify(value) : bare(value));
    }
    return fields && `{"timestamp":"${formatMicros(record.timestamp)}"${fields}}\n`;
  };
}

/** A row as RFC 4180 has it; the empty text for a record without any of the keys. */
function csvWriter(
  keys: readonly string[],
  { delimiter = ',', mark = '.', zone = null, escapesFormulas = false }: Partial<CsvStyle> = {},
): (record: StoredRecord) => string {
  const time = zone === null ? formatMicros : createZonedText(zone);
  const field = escapesFormulas ? (text: string) => csvText(escapeFormula(text)) : csvText;
  const columns = new Map(keys.map((key, index) => [key, index]));
  return (record) => {
    const fields = keys.map(() => '');
    let some = false;
    for (const [index, key] of record.keys.entries()) {
      const column = columns.get(key);
      const value = record.values[index];
      if (column === undefined || value === undefined) continue;
      fields[column] = typeof value === 'string' ? field(value) : bare(value).replace('.', mark);
      some = true;
    }
    return some ? `${[time(record.timestamp), ...fields].join(delimiter)}\r\n` : '';
  };
}

/** Numbers as JavaScript writes them, which reads back exactly; -0 keeps its sign. */
function bare(value: Exclude<Value, string>): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
