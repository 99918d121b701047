import * as fc from 'fast-check';

/* Texts of records: right ones, and ones that are wrong in a single place or in all. */

/** As they stand in JSON. */
const NUMBERS = [
  '0',
  '-0',
  '1',
  '-1.5',
  '1e3',
  '1E+3',
  '0.1',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '123456789012345678901234567890',
  '01',
  '+1',
  '.5',
  '1.',
  '0x10',
  'NaN',
  'Infinity',
  '-',
  '1e',
  `0.${'1'.repeat(400)}`,
  '5'.repeat(40_000),
];
const STRINGS = [
  '""',
  '"a"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\ud83d\\ude00"',
  '"\\x"',
  '"\\u12"',
  '"\n"',
  '"\t"',
  '"',
  "'a'",
  `"${'x'.repeat(70_000)}"`,
  '"\u2028"',
  '"\ufeff"',
  '"٣"',
  '"__proto__"',
];
const KEYS = [
  '"a"',
  '"b.c"',
  '"timestamp"',
  '"__proto__"',
  '"constructor"',
  '""',
  '"a,b"',
  '"\\u0061"',
  '"ключ"',
  '"\\ud800"',
  `"${'k'.repeat(128)}"`,
  `"${'k'.repeat(129)}"`,
  'a',
  '1',
  'null',
];
const TIMES = [
  'null',
  '0',
  '1700000000000',
  '-8520336000001',
  '7258118400000',
  '8.64e15',
  '1.5',
  '"2026-03-02T20:30:21.202946Z"',
  '"2026-03-02"',
  '"2026-02-30T00:00:00Z"',
  '"2026-03-02T20:30:21.1234567891Z"',
  '"1700-01-01T00:00:00+14:00"',
  '"x"',
  'true',
  '{}',
];
const OTHERS = ['true', 'false', 'null', '[]', '{}', 'tru', '[1,]', '{"a":1,}', '{,}', '', '//', '/**/1'];

const scalar = fc.oneof(
  { arbitrary: fc.constantFrom(...NUMBERS.slice(0, 9)), weight: 6 },
  { arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), weight: 4 },
  { arbitrary: fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)), weight: 3 },
  { arbitrary: fc.constantFrom('true', 'false'), weight: 2 },
  fc.constantFrom(...NUMBERS, ...STRINGS, ...OTHERS),
);

const plainKey = fc.oneof(
  { arbitrary: fc.constantFrom('"a"', '"b"', '"c d"', '"temperature"', '"x.y"', '"0"'), weight: 8 },
  fc.string({ maxLength: 6 }).map((key) => JSON.stringify(key)),
);
const anyKey = fc.oneof({ arbitrary: plainKey, weight: 6 }, fc.constantFrom(...KEYS));

const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    { arbitrary: scalar, weight: 5 },
    tie('object'),
    tie('array'),
  ),
  object: fc.array(fc.tuple(anyKey, tie('value')), { maxLength: 4 }).map(objectOf),
  array: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
}));

function objectOf(pairs: readonly (readonly [string, string])[]): string {
  return `{${pairs.map(([key, text]) => `${key}:${text}`).join(',')}}`;
}

const time = fc.oneof(
  { arbitrary: fc.constant(null), weight: 2 },
  { arbitrary: fc.integer({ min: 1.6e9, max: 1.9e9 }).map((seconds) => `${seconds}000`), weight: 4 },
  fc.constantFrom(...TIMES),
);

const record = fc
  .tuple(
    time,
    fc.array(fc.tuple(anyKey, fc.oneof({ arbitrary: scalar, weight: 4 }, value)), { maxLength: 5 }),
  )
  .map(([when, pairs]) => objectOf(when === null ? pairs : [['"timestamp"', when], ...pairs]));

/** Mostly right, so that much is stored. */
const rightRecord = fc
  .tuple(
    fc.integer({ min: 1.6e9, max: 1.9e9 }),
    fc.array(fc.tuple(fc.constantFrom('"a"', '"b"', '"c d"'), fc.constantFrom('1', '-0.5', '"x"', 'true')), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([seconds, pairs]) => objectOf([['"timestamp"', `${seconds}000`], ...pairs]));

const list = fc.oneof(
  { arbitrary: fc.array(rightRecord, { minLength: 1, maxLength: 8 }), weight: 3 },
  fc.array(fc.oneof(rightRecord, record), { maxLength: 8 }),
);

const repeated = (text: string, times: number) => text.repeat(times);
const HOSTILE = [
  repeated('[', 30_000),
  repeated('[', 5000) + repeated(']', 5000),
  `${repeated('{"a":', 5000)}1${repeated('}', 5000)}`,
  `{${Array.from({ length: 5000 }, (_, n) => `"k${n}":1`).join(',')}}`,
  `{${Array.from({ length: 256 }, (_, n) => `"w${n}":1`).join(',')}}`,
  `{${Array.from({ length: 257 }, (_, n) => `"w${n}":1`).join(',')}}`,
  `{${repeated('"a":1,', 20_000)}"a":1}`,
  `[${repeated('{"a":1},', 3000)}{"a":1}]`,
  `[${repeated('{"a":1},', 3000)}{"a":[]}]`,
  repeated('{"a":1}\n', 3000),
  repeated('\n', 50_000),
  repeated('{}\n', 5000),
  `{"a":[${repeated('1,', 300)}1]}`,
  `{"a":"${repeated('\\u0041', 30_000)}"}`,
  '\ufeff{"a":1}',
  '{"a":1}{"a":1}',
  '{"a":1}\r\n\r\n{"a":2}\n',
  '{"a":1} \u0085 ',
  'null',
  '',
  ' ',
  '[]',
  '{}',
];

/** A body of records as a device might send it, before anything happens to its bytes. */
export const payload: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: list.map((records) => `[${records.join(',')}]`), weight: 5 },
  { arbitrary: list.map((records) => records.join('\n')), weight: 4 },
  { arbitrary: rightRecord, weight: 2 },
  { arbitrary: record, weight: 3 },
  { arbitrary: value, weight: 1 },
  { arbitrary: fc.constantFrom(...HOSTILE), weight: 1 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 200 }), weight: 1 },
);
