import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#core/base/errors.ts';
import { isColumnar } from '#core/ingest/json/batches.ts';
import { formOf, openPayload, type PayloadForm } from '#core/ingest/payload.ts';
import { RecordFault } from '#core/ingest/record.ts';
import { toRecord } from '#core/ingest/to-record.ts';
import { recordsOf } from '#core/store/record-columns.ts';
import type { StoredRecord } from '#core/store/store.ts';
import { parseJson } from '#shared/values/json.ts';
import { parsePayload } from '../../helpers/files/payloads.ts';
import { asText, cuts, mutated, number } from './record-texts.ts';

/* What devices send, however it is cut into pieces, against the rules in their plainest form: JSON.parse and `toRecord`. */

const RECEIVED = 1_700_000_000_123_456;

interface Outcome {
  readonly records?: unknown;
  readonly refused?: string;
}

/** Keys in any order: which one a record names first is nobody's business. */
const plain = (records: readonly StoredRecord[]) =>
  records.map(({ timestamp, received, keys, values }) => ({
    timestamp,
    received,
    data: new Map(keys.map((key, i) => [key, values[i]])),
  }));

function outcomeOf(read: () => readonly StoredRecord[]): Outcome {
  try {
    return { records: plain(read()) };
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return { refused: error.message };
    throw error;
  }
}

function inPieces(text: Uint8Array, form: PayloadForm, places: readonly number[]): Outcome {
  return outcomeOf(() => {
    const reader = openPayload(form, RECEIVED);
    const records: StoredRecord[] = [];
    const take = () => {
      for (const batch of reader.take()) records.push(...(isColumnar(batch) ? recordsOf(batch) : batch));
    };
    let from = 0;
    for (const cut of [...places.toSorted((a, b) => a - b), text.length]) {
      const to = Math.min(text.length, cut);
      reader.push(text.subarray(from, to));
      take();
      from = to;
    }
    reader.end();
    take();
    expect(reader.count).toBe(records.length);
    return records;
  });
}

/** The rules, slowly. Returns null where the text is refused, and why where that is for a record that is JSON. */
function expected(text: string, form: PayloadForm): Outcome | null {
  try {
    const values =
      form === 'lines'
        ? text
            .split(/\r\n?|\n/)
            .filter((line) => line.trim() !== '')
            .map(parseJson)
        : parseJson(text);
    const list = Array.isArray(values) ? (values as unknown[]) : [values];
    if (list.length === 0) return null;
    return { records: plain(list.map((value, i) => recordOf(value, i + 1))) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    return { refused: (error as Error).message };
  }
}

function recordOf(value: unknown, n: number): StoredRecord {
  try {
    return toRecord(value, RECEIVED);
  } catch (error) {
    throw error instanceof RecordFault ? new Error(`record ${n}: ${error.message}`) : error;
  }
}

describe('a payload in any pieces', () => {
  test.each([
    ['as devices write it', asText, 1500],
    ['with a fault', mutated, 1500],
  ])('is read as JSON.parse reads it: %s', (_what, payloads, numRuns) => {
    let accepted = 0;
    fc.assert(
      fc.property(payloads, cuts, ({ form, text: whole }, places) => {
        const bytes = new TextEncoder().encode(whole);
        const read = inPieces(bytes, form, places);
        expect(read).toEqual(inPieces(bytes, form, []));
        const should = expected(new TextDecoder().decode(bytes), form);
        if (should === null || should.refused !== undefined) expect(read.refused).toEqual(expect.any(String));
        else expect(read).toEqual(should);
        if (read.records) accepted++;
        // What is no JSON may be noticed before or behind the record that is refused.
        if (
          should?.refused !== undefined &&
          read.refused?.startsWith('record') &&
          !read.refused.includes('not valid')
        )
          expect(read.refused).toBe(should.refused);
      }),
      { numRuns },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  test('is the same at once and byte by byte', () => {
    const whole = new TextEncoder().encode(
      '\uFEFF[{"t":1,"é":"ü"},\n{"t":2,"é":"\\u00fc"} , {"t":-0.5,"é":"x"}]',
    );
    const everywhere = Array.from(whole, (_, i) => i);
    expect(inPieces(whole, 'json', everywhere)).toEqual(inPieces(whole, 'json', []));
    expect(inPieces(whole, 'json', [])).toEqual({ records: plain(parsePayload(whole, undefined, RECEIVED)) });
  });

  test('is read as columns where records have the same names', () => {
    const reader = openPayload('json', RECEIVED);
    const list = Array.from({ length: 5000 }, (_, n) => ({
      timestamp: n,
      t: n / 8,
      on: n % 2 === 0,
      s: `s${n % 3}`,
    }));
    reader.push(new TextEncoder().encode(JSON.stringify(list)));
    reader.end();
    const batches = reader.take();
    const asColumns = batches.reduce((rows, batch) => rows + (isColumnar(batch) ? batch.size : 0), 0);
    expect(asColumns).toBeGreaterThan(4990);
    const read = batches.flatMap((batch) => (isColumnar(batch) ? recordsOf(batch) : batch));
    expect(plain(read)).toEqual(plain(list.map((one) => toRecord(one, RECEIVED))));
  });

  test('numbers are the doubles that JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 20, maxLength: 40 }), (numbers) => {
        const good = numbers.filter((one) => Number.isFinite(Number(one)));
        const whole = good.map((one) => `{"v":${one},"w":1}`).join('\n');
        const read = outcomeOf(() => parsePayload(Buffer.from(whole), 'application/x-ndjson', RECEIVED));
        if (good.length === 0) return;
        const values = (read.records as { data: Map<string, number> }[]).map(({ data }) => data.get('v'));
        const should = good.map((one) => JSON.parse(one) as number);
        expect(values.every((one, i) => Object.is(one, should[i]))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('what is refused before it is read', () => {
  const refusal = (whole: string, type?: string) =>
    outcomeOf(() => parsePayload(new TextEncoder().encode(whole), type, RECEIVED)).refused;

  test.each([20_000, 1_000_000])('%d levels', (levels) => {
    expect(refusal('['.repeat(levels))).toBe('record 1: objects and arrays may be nested 4 deep');
    expect(refusal(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`)).toBe(
      'record 1: objects and arrays may be nested 4 deep',
    );
    expect(refusal(`{"a":1}\n${'['.repeat(levels)}`, 'application/x-ndjson')).toBe(
      'record 2: objects and arrays may be nested 4 deep',
    );
  });

  test('a record of more values than memory is worth', () => {
    const rule = 'record 2: must list at most 65536 values, those that are null included';
    const nulls = `{"a":[${'null,'.repeat(70_000)}null]}`;
    expect(refusal(`[{"a":1},${nulls}]`)).toBe(rule);
    expect(refusal(`{"a":1}\n${nulls}`, 'application/x-ndjson')).toBe(rule);
    expect(refusal(`[{"a":1},{"a":[${'[],'.repeat(70_000)}[]]}]`)).toBe(rule);
    expect(refusal(`{"a":1,"b":[${'null,'.repeat(60_000)}null]}`)).toBe(undefined);
  });

  test('a record, or a line, of more than 16 MiB', () => {
    const long = 'x'.repeat(17 * 1024 * 1024);
    expect(refusal(`[{"a":"${long}`)).toBe('record 1: must be at most 16 MiB of JSON');
    expect(refusal(`{"a":"${long}`, 'application/x-ndjson')).toBe(
      'The body holds a line of more than 16 MiB.',
    );
  });

  test('more than a million records', () => {
    const million = '{"a":1},'.repeat(1_000_000);
    expect(refusal(`[${million.slice(0, -1)}]`)).toBe(undefined);
    expect(refusal(`[${million}{"a":1}]`)).toBe(
      'A request stores at most 1,000,000 records; send the others in further ones.',
    );
  });

  test.each([
    ['{"a":1}\n{"a":2}', /^The body is not valid JSON: more follows behind the object; send an array/],
    ['[{"a":1}] x', /^The body is not valid JSON: more follows behind the array/],
    ['[{"a":1} {"a":2}]', /^The body is not valid JSON: expected "," or "]" behind record 1/],
    ['[{"a":1},]', /^The body is not valid JSON: a record is missing behind record 1/],
    ['[,{"a":1}]', /^The body is not valid JSON: a record is missing behind record 0/],
    ['[{"a":1},', /^The body is not valid JSON: it ends before its array does/],
    ['[{"a":1},{"a":', /^record 2 is not valid JSON: /],
    ['[{"a":1},{"a":1]]', /^record 2 is not valid JSON: /],
  ])('%s', (whole, message) => {
    expect(refusal(whole)).toMatch(message);
  });
});

test('a content type that names lines is told from all others', () => {
  expect(formOf('application/x-ndjson; charset=utf-8')).toBe('lines');
  expect(formOf('application/json')).toBe('json');
  expect(formOf(undefined)).toBe('json');
});
