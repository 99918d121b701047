import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#core/errors.ts';
import { isColumnar } from '#core/ingest/json/batches.ts';
import { formOf, openPayload, type PayloadForm } from '#core/ingest/payload.ts';
import { RecordFault } from '#core/ingest/record.ts';
import { toRecord } from '#core/ingest/to-record.ts';
import { recordsOf } from '#core/store/record-columns.ts';
import type { StoredRecord } from '#core/store/store.ts';
import { parseJson } from '#shared/json.ts';
import { parsePayload } from '../../helpers/payloads.ts';

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

function inPieces(text: Uint8Array, form: PayloadForm, cuts: readonly number[]): Outcome {
  return outcomeOf(() => {
    const reader = openPayload(form, RECEIVED);
    const records: StoredRecord[] = [];
    const take = () => {
      for (const batch of reader.take()) records.push(...(isColumnar(batch) ? recordsOf(batch) : batch));
    };
    let from = 0;
    for (const cut of [...cuts.toSorted((a, b) => a - b), text.length]) {
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

const blank = fc.constantFrom('', '', '', ' ', '\t', '  ');
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
  fc.integer({ min: -99_999, max: 99_999 }).map((n) => String(n / 100)),
  fc.constantFrom(
    '-0',
    '0.0',
    '1e5',
    '1E-7',
    '1.5e+300',
    '123456789012345678901234567890',
    '0.1',
    '1e999',
    '-1e999',
  ),
  fc.constantFrom('4.35', '9007199254740993', '0.30000000000000004', '1.7976931348623157e308', '5e-324'),
  fc.bigInt({ min: 0n, max: 10n ** 25n }).map((n) => `${n / 10n ** 20n}.${n % 10n ** 20n}`),
);
const text = fc
  .oneof(
    fc.string({ maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constantFrom('idle', 'running'),
  )
  .map((value) => JSON.stringify(value));
const value = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: fc.constantFrom('true', 'false', 'null', '"\\u0041"') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"b":1}', '[1,null]', '{}', 'tru', '01', '1.', '-', '"a', '.5', '+1', 'nulL'),
  },
);
const two = (n: number) => String(n).padStart(2, '0');
const time = fc.oneof(
  fc
    .tuple(
      fc.integer({ min: 1690, max: 2210 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      fc.integer({ min: 0, max: 24 }),
      fc.integer({ min: 0, max: 60 }),
      fc.constantFrom('', '.5', '.123', '.123456', '.123456789', '.1234567891', '.'),
      fc.constantFrom('Z', 'Z', 'Z', '+02:00', 'z', ''),
    )
    .map(([y, m, d, h, s, f, z]) => `"${y}-${two(m)}-${two(d)}T${two(h)}:30:${two(s)}${f}${z}"`),
  fc.integer({ min: 0, max: 999_999 }).map((n) => `"2026-03-02T20:30:21.${String(n).padStart(6, '0')}Z"`),
  fc.integer({ min: -9e12, max: 9e12 }).map(String),
  fc.constantFrom('null', '0', '-1', '1.5', '1e12', '"yesterday"', 'true', '1772483421202'),
);
const name = fc.constantFrom(
  't',
  'h',
  'ü',
  'a.b',
  '0',
  '__proto__',
  'timestamp',
  'a,b',
  '\\u0041',
  '',
  'k'.repeat(129),
);
const plainName = fc.constantFrom('t', 'humidity', 'ü', 'a.b', '0', '__proto__');

/** Some records that mostly have the same names and blanks. */
const shape = fc.tuple(
  fc.uniqueArray(fc.oneof({ weight: 9, arbitrary: plainName }, name), { maxLength: 5 }),
  blank,
  fc.boolean(),
);
const record = (names: readonly string[], space: string, timed: boolean) =>
  fc
    .tuple(fc.array(value, { minLength: names.length, maxLength: names.length }), time)
    .map(([values, at]) => {
      const parts = names.map((key, i) => `"${key}":${space}${values[i]}`);
      return `{${[...(timed ? [`"timestamp":${space}${at}`] : []), ...parts].join(`,${space}`)}${space}}`;
    });
const calm = fc.oneof(fc.integer().map(String), fc.constantFrom('1.25', 'true', 'null', '"idle"'));
const calmRecords = fc
  .tuple(
    fc.uniqueArray(plainName, { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    fc.integer({ min: 20, max: 60 }),
  )
  .chain(([names, timed, many]) =>
    fc.array(
      fc
        .tuple(fc.array(calm, { minLength: names.length, maxLength: names.length }), fc.nat(999_999))
        .map(
          ([values, n]) =>
            `{${timed ? `"timestamp":"2026-03-02T20:30:21.${String(n).padStart(6, '0')}Z",` : ''}${names.map((key, i) => `"${key}":${values[i]}`).join()},"z":1}`,
        ),
      { minLength: many, maxLength: many },
    ),
  );
const someRecords = fc.oneof(
  { weight: 2, arbitrary: calmRecords },
  {
    weight: 3,
    arbitrary: shape.chain(([names, space, timed]) =>
      fc.array(record(names, space, timed), { maxLength: 8 }),
    ),
  },
);
const records = fc.array(someRecords, { maxLength: 4 }).map((parts) => parts.flat());

const asText = fc
  .tuple(records, fc.constantFrom<PayloadForm>('json', 'lines'), blank, fc.constantFrom('\n', '\r\n', '\r'))
  .map(([list, form, space, lineEnd]) => ({
    form,
    text:
      form === 'json'
        ? `${space}[${list.join(`${space},${lineEnd}`)}]${lineEnd}`
        : list.join(`${space}${lineEnd}`),
  }));
/** One character is left out, doubled or another one. */
const mutated = fc
  .tuple(
    asText,
    fc.nat(),
    fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '0', '\\', '\n', 'é', '\u0000'),
  )
  .map(([{ form, text: whole }, at, other]) => {
    const place = whole.length === 0 ? 0 : at % whole.length;
    return { form, text: whole.slice(0, place) + other + whole.slice(place + (at % 2)) };
  });
const cuts = fc.array(fc.nat(4000), { maxLength: 12 });

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
