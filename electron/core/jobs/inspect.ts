import { badRequest } from '#core/errors.ts';
import { parseJson } from '#shared/json.ts';
import type { Inspection } from '#shared/operations/records.ts';
import { DELIMITER_NAMES, type Delimiter } from './delimiter.ts';
import { describeTimeFormat } from './guess-time.ts';
import { guessLayout, type Column, type ColumnKind, type CsvLayout } from './layout.ts';
import { wholeLines } from './source.ts';

export type FileFormat = 'csv' | 'ndjson';

const PREVIEW_ROWS = 10;

/**
 * What the beginning of a file says about it. `complete` says that it is the whole file; otherwise its last line is
 * cut and not judged. Throws a 400 Refusal on a file that holds nothing to import.
 */
export function inspectFile(
  sample: string,
  options: { readonly complete?: boolean; readonly format?: FileFormat | undefined } = {},
): Inspection {
  const text = withoutMark(options.complete ? sample : wholeLines(sample));
  const format = options.format ?? guessFormat(text);
  return format === 'csv' ? inspectCsv(text) : inspectNdjson(text);
}

/** Some writers put a byte order mark before UTF-8. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** CSV or NDJSON, by the first character. Throws a 400 Refusal on an empty file and on one that is a JSON array. */
export function guessFormat(sample: string): FileFormat {
  const first = sample.trimStart()[0];
  if (first === undefined) throw badRequest('The file is empty.');
  if (first === '[')
    throw badRequest('The file is a JSON array; expected CSV, or NDJSON with one JSON object on each line.');
  return first === '{' ? 'ndjson' : 'csv';
}

function inspectCsv(text: string): Inspection {
  const layout = guessLayout(text);
  const { time, delimiter, columns, notes } = layout;
  return {
    format: 'csv',
    delimiter,
    columns: [...columns],
    time_column: time ? (columns[time.index]?.name ?? null) : null,
    time_format: time && describeTimeFormat(time),
    zone_needed: time?.zoneNeeded ?? false,
    date_order_unsure: time?.ambiguous ?? false,
    rows: layout.rows.slice(0, PREVIEW_ROWS).map((row) => row.cells.map((cell) => cell.text)),
    notes: [...separation(delimiter), ...notes, ...warnings(text, layout)],
  };
}

/** Commas are what everyone expects. */
function separation(delimiter: Delimiter): string[] {
  return delimiter === ',' ? [] : [`Fields are separated by ${DELIMITER_NAMES[delimiter]}.`];
}

function warnings(text: string, layout: CsvLayout): string[] {
  const found: string[] = [];
  if (!layout.time)
    found.push('No column of times was found. Choose one, or import every row with the time of the import.');
  if (text.includes('\uFFFD'))
    found.push(
      'Some characters are not UTF-8. Save the file as UTF-8 first (in a spreadsheet: "CSV UTF-8").',
    );
  return found;
}

function inspectNdjson(text: string): Inspection {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const objects = lines.flatMap((line) => parseObject(line) ?? []);
  const names = [...new Set(objects.flatMap((object) => [...object.keys()]))];
  const columns = names.map((name): Column => {
    if (name === 'timestamp') return { name, role: 'time', kind: 'time' };
    const values = objects
      .map((object) => object.get(name))
      .filter((value) => value !== undefined && value !== null);
    return { name, role: values.length > 0 ? 'value' : 'empty', kind: kindOf(values) };
  });
  const time = objects
    .map((object) => object.get('timestamp'))
    .find((value) => value !== undefined && value !== null);
  const broken = lines.length - objects.length;
  return {
    format: 'ndjson',
    delimiter: null,
    columns,
    time_column: time === undefined ? null : 'timestamp',
    time_format:
      time === undefined
        ? null
        : typeof time === 'number'
          ? `${time}, milliseconds since 1970`
          : `${textOf(time)}, with zone`,
    zone_needed: false,
    date_order_unsure: false,
    rows: objects.slice(0, PREVIEW_ROWS).map((object) => names.map((name) => textOf(object.get(name)))),
    notes: [
      'Every line is one JSON object.',
      ...(time === undefined
        ? ['The records carry no "timestamp", so the time of the import counts for all of them.']
        : []),
      ...(broken > 0 ? [`${broken} of the first ${lines.length} lines are no JSON objects.`] : []),
    ],
  };
}

function parseObject(line: string): Map<string, unknown> | null {
  try {
    const value: unknown = parseJson(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new Map(Object.entries(value))
      : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function kindOf(values: readonly unknown[]): ColumnKind {
  if (values.length > 0 && values.every((value) => typeof value === 'number')) return 'number';
  return values.length > 0 && values.every((value) => typeof value === 'boolean') ? 'boolean' : 'text';
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
