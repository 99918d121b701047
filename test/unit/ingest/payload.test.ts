import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#core/base/errors.ts';
import { parsePayload } from '../../helpers/files/payloads.ts';
import { parseInstant } from '#shared/values/time.ts';

const RECEIVED = 1_700_000_000_123_456;
const encode = (text: string) => new TextEncoder().encode(text);

const many = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])));

/** The records as plain pairs, so that keys such as "__proto__" compare as data. */
function read(text: string, contentType?: string) {
  return parsePayload(encode(text), contentType, RECEIVED).map((record) => ({
    timestamp: record.timestamp,
    data: record.keys.map((key, index) => [key, record.values[index]]),
  }));
}

function refusal(bytes: string | Uint8Array, contentType?: string): string {
  try {
    parsePayload(typeof bytes === 'string' ? encode(bytes) : bytes, contentType, RECEIVED);
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('what a device may send', () => {
  test('is one object, timed by its receipt', () => {
    expect(read('{"t":21.5,"door":"open","on":true}')).toEqual([
      {
        timestamp: RECEIVED,
        data: [
          ['t', 21.5],
          ['door', 'open'],
          ['on', true],
        ],
      },
    ]);
    expect(parsePayload(encode('{"t":1,"timestamp":0}'), undefined, RECEIVED)[0]?.received).toBe(RECEIVED);
  });

  test('is an array of objects, in order of arrival', () => {
    expect(read('[{"a":1},{"a":2}]').map((record) => record.data)).toEqual([[['a', 1]], [['a', 2]]]);
  });

  test.each(['application/x-ndjson', 'application/x-ndjson; charset=utf-8', 'Application/NDJSON'])(
    'is one object a line as %s',
    (type) => {
      expect(read('{"a":1}\r\n\n{"a":2}\n', type).map((record) => record.data)).toEqual([
        [['a', 1]],
        [['a', 2]],
      ]);
    },
  );

  test.each([undefined, 'application/json', 'text/plain', 'application/x-www-form-urlencoded'])(
    'is JSON when the content type is %s',
    (type) => {
      expect(read('\uFEFF {"a":1} ', type)[0]?.data).toEqual([['a', 1]]);
    },
  );

  test('may nest, and null means absent', () => {
    expect(read('{"a":{"b":{"c":{"d":1}}},"list":[1,null,"x"],"gone":null,"empty":{}}')[0]?.data).toEqual([
      ['a.b.c.d', 1],
      ['list.0', 1],
      ['list.2', 'x'],
    ]);
  });

  test('may use the names of built-in properties as keys', () => {
    expect(read('{"__proto__":1,"constructor":{"__proto__":2},"toString":"x"}')[0]?.data).toEqual([
      ['__proto__', 1],
      ['constructor.__proto__', 2],
      ['toString', 'x'],
    ]);
  });

  test('keeps every number as JSON reads it, -0 and the extremes too', () => {
    const values = [-0, 5e-324, 1.7976931348623157e308, 2 ** 53 + 2, 0.1];
    const text = '{"v":[-0,5e-324,1.7976931348623157e308,9007199254740994,0.1]}';
    const [record] = parsePayload(encode(text), undefined, RECEIVED);
    expect(record?.values.every((value, index) => Object.is(value, values[index]))).toBe(true);
  });

  test('keeps lone surrogates', () => {
    expect(read(String.raw`{"a":"\ud800"}`)[0]?.data).toEqual([['a', '\ud800']]);
  });

  test('keeps any flat object of numbers, text and booleans', () => {
    const value = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'binary' }),
      fc.boolean(),
    );
    const key = fc
      .string({ minLength: 1, maxLength: 60 })
      .filter((text) => !text.includes(',') && text !== 'timestamp');
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(key, value), { minLength: 1, selector: ([name]) => name }),
        (pairs) => {
          const text = `{${pairs.map(([name, item]) => `${JSON.stringify(name)}:${Object.is(item, -0) ? '-0' : JSON.stringify(item)}`).join()}}`;
          expect(new Map(read(text)[0]?.data as [string, unknown][])).toEqual(new Map(pairs));
        },
      ),
    );
  });
});

describe('the time of a record', () => {
  test.each([
    ['"2026-03-02T20:30:21.202946Z"', '2026-03-02T20:30:21.202946Z'],
    ['"2026-03-02T22:30:21.202946999+02:00"', '2026-03-02T20:30:21.202946Z'],
    ['"1700-01-01T00:00:00Z"', '1700-01-01T00:00:00Z'],
    ['"2200-12-31T23:59:59.999999Z"', '2200-12-31T23:59:59.999999Z'],
    ['1772483421202', '2026-03-02T20:30:21.202Z'],
    ['-1000', '1969-12-31T23:59:59Z'],
    ['0', '1970-01-01T00:00:00Z'],
  ])('%s is exact', (written, meant) => {
    expect(read(`{"a":1,"timestamp":${written}}`)[0]?.timestamp).toBe(parseInstant(meant));
  });

  test('is the receipt when null', () => {
    expect(read('{"a":1,"timestamp":null}')[0]?.timestamp).toBe(RECEIVED);
  });

  test.each([
    '"yesterday"',
    '"2026-03-02T20:30:21"',
    '"2026-02-30T00:00:00Z"',
    '1.5',
    'true',
    '""',
    '1e999',
    '{}',
  ])('is refused as %s', (written) => {
    expect(refusal(`[{"a":1},{"a":1,"timestamp":${written}}]`)).toMatch(
      /^record 2: timestamp must be an ISO 8601 time/,
    );
  });

  test.each(['"1699-12-31T23:59:59.999999Z"', '"2201-01-01T00:00:00Z"', '1e300'])(
    'is refused outside 1700 to 2200: %s',
    (written) => {
      expect(refusal(`{"a":1,"timestamp":${written}}`)).toMatch(
        /^record 1: timestamp must lie in the years 1700 to 2200, got /,
      );
    },
  );
});

describe('what is refused, and how the message helps', () => {
  test.each([
    ['', /^The body is empty/],
    [' \n ', /^The body is empty/],
    ['[]', /empty array/],
    ['{"a":', /^The body is not valid JSON: /],
    ['{}', /^record 1: must hold at least one key/],
    ['{"timestamp":0}', /^record 1: must hold at least one key/],
    ['{"a":null,"b":[],"c":{"d":null}}', /^record 1: must hold at least one key/],
    ['5', /^record 1: must be an object of keys and values, got 5$/],
    ['null', /^record 1: must be an object/],
    ['[{"a":1},[1]]', /^record 2: must be an object of keys and values, got \[1\]$/],
    ['[{"a":1},{"a":1e999}]', /^record 2: the number of "a" is too large/],
    ['{"a":-1e999}', /^record 1: the number of "a" is too large/],
    ['{"":1}', /^record 1: a key must not be empty$/],
    ['{"a,b":1}', /^record 1: a key must not contain ",", got "a,b"$/],
    [
      '{"a":{"b":{"c":{"d":{"e":1}}}}}',
      /^record 1: objects and arrays may be nested 4 deep, "a\.b\.c\.d" is deeper$/,
    ],
    ['{"a.b":1,"a":{"b":2}}', /^record 1: two values for the key "a\.b"$/],
  ])('%s', (body, message) => {
    expect(refusal(body)).toMatch(message);
  });

  test('keys beyond 128 characters or 256 of them', () => {
    expect(refusal(JSON.stringify({ ['k'.repeat(128)]: 1 }))).toBe('accepted');
    expect(refusal(JSON.stringify({ ['k'.repeat(129)]: 1 }))).toMatch(
      /^record 1: a key must be at most 128 characters, got "k+…? with 129$/,
    );
    expect(refusal(JSON.stringify({ ['k'.repeat(100)]: { ['j'.repeat(28)]: 1 } }))).toMatch(/with 129$/);
    expect(refusal(many(256))).toBe('accepted');
    expect(refusal(many(257))).toBe('record 1: a record holds at most 256 keys');
  });

  test('bytes that are not UTF-8', () => {
    expect(refusal(new Uint8Array([...encode('{"a":"'), 0xff, ...encode('"}')]))).toMatch(/must be UTF-8/);
    expect(refusal('{"a":1}')).toBe('accepted');
  });

  test('a bad line of NDJSON, by its record', () => {
    expect(refusal('{"a":1}\n\n{"a":\n', 'application/x-ndjson')).toMatch(/^record 2 is not valid JSON: /);
    expect(refusal('{"a":1}\n[2]\n', 'application/x-ndjson')).toMatch(/^record 2: must be an object/);
  });
});
