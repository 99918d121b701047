import { jsonText } from './json.ts';
import { csvText, ndjsonText, type Row } from './model.ts';
import type { Value } from './payload.ts';
import type { Bulk, Writers } from './script.ts';
import { writeTime } from './time.ts';

/* Records by formula: the same script stores the same. */

const WORDS = ['idle', 'running', 'door "open"', 'Störung, Pumpe 2', '🔥', 'C:\\log', ''];

/** Each place once, whatever the count: steps of a number that shares no factor with it. */
function shuffled(i: number, count: number): number {
  let step = Math.floor(count * 0.618) | 1;
  while (greatestDivisor(step, count) !== 1) step++;
  return (i * step) % count;
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

function placeOf(i: number, { count, order }: Bulk): number {
  if (order === 'rising') return i;
  if (order === 'falling') return count - 1 - i;
  return order === 'equal' ? 0 : shuffled(i, count);
}

function fieldsOf(i: number, shape: Bulk['shape']): Record<string, Value> {
  switch (shape) {
    case 'sensors':
      return {
        humidity: 40 + ((i * 37) % 200) / 10,
        ok: i % 11 !== 0,
        pressure: 101_325 + Math.round(900 * Math.sin(i / 90)),
        temp: Math.round(2150 + 400 * Math.sin(i / 300)) / 100,
      };
    case 'sparse':
      return { [`k${i % 7}`]: i / 8, ...(i % 100 === 0 && { alarm: true }), ...(i % 3 === 0 && { n: -i }) };
    case 'texts':
      return { n: i, state: WORDS[i % WORDS.length]!, ...(i % 5 === 0 && { text: 'µ'.repeat(i % 90) }) };
    case 'wide':
      return Object.fromEntries(Array.from({ length: 40 }, (_, k) => [`w${k}`, (i * (k + 1)) % 1000]));
  }
}

const rowOf = (time: number, fields: Record<string, Value>): Row => ({
  time,
  fields: Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)),
});

/** In the order in which they are sent. */
export function bulkRows(bulk: Bulk): Row[] {
  return Array.from({ length: bulk.count }, (_, i) =>
    rowOf(bulk.from + placeOf(i, bulk) * bulk.step, fieldsOf(i, bulk.shape)),
  );
}

export const linesOf = (rows: readonly Row[]) => ndjsonText(rows, null);
export const arrayOf = (rows: readonly Row[]) => `[${linesOf(rows).trimEnd().replaceAll('\n', ',')}]`;

export function csvOf(rows: readonly Row[]): string {
  return csvText(rows, [...new Set(rows.flatMap(({ fields }) => fields.map(([key]) => key)))]);
}

/** µs from the first to the last time that writers use, which `base` begins. */
export const writersSpan = ({ writers, requests, records }: Writers) =>
  writers * requests * records * 1000 - 1;

export interface Request {
  readonly body: string;
  readonly rows: readonly Row[];
}

/** What each writer sends, request by request. The times of all are mixed, so that most records come late. */
export function writersRequests(given: Writers, base: number): Request[][] {
  const { writers, requests, records } = given;
  const each = (length: number) => Array.from({ length }, (_, i) => i);
  return each(writers).map((writer) =>
    each(requests).map((request) => {
      const rows = each(records).map((record) => {
        const i = (request * records + record) * writers + writer;
        const text = 'x'.repeat((i * 31) % 300);
        const time = base + shuffled(i, writers * requests * records) * 1000;
        return rowOf(time, { n: i, request, writer, ...(text !== '' && { text }) });
      });
      return { rows, body: records === 1 ? linesOf(rows).trimEnd() : arrayOf(rows) };
    }),
  );
}

/** A range as queries have it. */
export const rangeOf = (start: number, end: number) => ({ start: writeTime(start), end: writeTime(end) });

/** A text for a JSON body, as clients write it that escape all but ASCII. */
export const escaped = (text: string) =>
  jsonText(text).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
