import { parseJson } from '#shared/json.ts';
import type { Column, Inspection } from '#shared/operations/records.ts';

const PREVIEW_ROWS = 10;

/** What the first lines of an NDJSON file say about it. */
export function inspectNdjson(text: string): Omit<Inspection, 'encoding'> {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const objects = lines.flatMap((line) => parseObject(line) ?? []);
  const kinds = kindsByName(objects);
  const names = [...kinds.keys()];
  const columns = [...kinds].map(([name, kind]): Column => {
    if (name === 'timestamp') return { name, role: 'time', kind: 'time' };
    return { name, role: kind === null ? 'empty' : 'value', kind: kind ?? 'text' };
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
    time_kind: time === undefined ? null : typeof time === 'number' ? 'epoch-ms' : 'date',
    first_line: 1,
    units_row: false,
    zone_needed: false,
    start_needed: false,
    date_order: null,
    date_order_unsure: false,
    decimal_mark: null,
    decimal_mark_unsure: false,
    first: null,
    last: null,
    problem: null,
    problem_with: null,
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

/** What the values of each name are, in one pass over all of them; null where there is none. Names in order of appearance. */
function kindsByName(objects: readonly ReadonlyMap<string, unknown>[]): Map<string, Column['kind'] | null> {
  const kinds = new Map<string, Column['kind'] | null>();
  for (const object of objects)
    for (const [name, value] of object) {
      const before = kinds.get(name) ?? null;
      const kind = value === null ? null : kindOf(value);
      kinds.set(name, before === null || kind === null || before === kind ? (kind ?? before) : 'text');
    }
  return kinds;
}

function kindOf(value: unknown): Column['kind'] {
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'text';
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Read without recursion, written with it: what is nested deeper than the stack. An import says of it that it is too deep.
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}

const TOO_DEEP = '(nested too deep to be shown)';
