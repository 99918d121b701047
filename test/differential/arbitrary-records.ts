import * as fc from 'fast-check';
import { escaped } from './bodies.ts';
import { jsonText } from './json.ts';
import { FIRST_TIME, LAST_TIME, writeTime } from './time.ts';

/* Random records as texts of JSON. What is drawn collides: few times, few keys, each written in several ways. */

const NOON = Date.UTC(2024, 1, 29, 12) * 1000;

export const time = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 12 }).map((second) => NOON + second * 1_000_000) },
  { weight: 4, arbitrary: fc.integer({ min: -9, max: 9 }).map((micros) => NOON + micros) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 3000 }).map((hour) => NOON + hour * 3_600_000_000) },
  { weight: 1, arbitrary: fc.constantFrom(FIRST_TIME, LAST_TIME, -1, 0, 1, FIRST_TIME + 86_400_000_000) },
);

/** The same instant in the ways that clients write it. */
export const timeText = fc
  .tuple(time, fc.constantFrom(0, 0, 0, 60, -210, 1439, -1439), fc.constantFrom(6, 6, 6, 7, 9))
  .map(([micros, offset, fraction]) => {
    const edge = micros - FIRST_TIME < 1e12 || LAST_TIME - micros < 1e12;
    if (micros % 1_000_000 === 0 && fraction === 7) return writeTime(micros, edge ? 0 : offset, 0);
    return writeTime(micros, edge ? 0 : offset, fraction);
  });

const timestamp = fc.oneof(
  { weight: 5, arbitrary: timeText.map(jsonText) },
  { weight: 3, arbitrary: time.map((micros) => String(Math.ceil(micros / 1000))) },
);

const KEYS = [
  'a',
  'b',
  'temp',
  '__proto__',
  'constructor',
  '0',
  '10',
  '°',
  'µ',
  'é',
  'π',
  '\\',
  '"',
  ' x ',
  'a.b',
];
const key = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(...KEYS, 'Zähler 1', '\u0000', '\u2028', '🔥', '\ud83c', 'q=1&r#'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 60 }).map((n) => `key ${n}`) },
);
export const plainKey = key.filter(
  (text) => text.isWellFormed() && text.trim() === text && !text.includes(','),
);

const WHOLE = [
  '0',
  '1',
  '-1',
  '1e3',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
];
const number = fc.oneof(
  fc.integer({ min: -5, max: 300 }).map(String),
  fc.integer({ min: -99_999, max: 99_999 }).map((n) => String(n / 100)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(
    ...WHOLE,
    '-0',
    '-0.0',
    '5e-324',
    '1e308',
    '1.7976931348623157e308',
    '1.50',
    '1E+2',
    '0.1e-6',
  ),
);
const text = fc.oneof(
  fc.constantFrom(
    '',
    'on',
    'off',
    'C:\\',
    '21,5',
    '"',
    '\u0000',
    '\ufeff',
    '\u2029',
    '\ud800',
    'é',
    '1',
    ' ',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.integer({ min: 0, max: 300 }).map((length) => 'long '.repeat(length)),
);
const written = (texts: fc.Arbitrary<string>) =>
  fc.tuple(texts, fc.boolean()).map(([each, ascii]) => (ascii ? escaped(each) : jsonText(each)));

const NESTED = [
  '{"b":1,"c":[true,null,"x"]}',
  '[1,[2,{"d":3}]]',
  '{}',
  '[null]',
  '{"__proto__":{"0":-0}}',
  '{"":{"timestamp":4}}',
];
const value = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 3, arbitrary: written(text) },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null') },
  { weight: 1, arbitrary: fc.constantFrom(...NESTED) },
);

const members = fc.uniqueArray(fc.tuple(fc.tuple(key, fc.boolean()), value), {
  selector: ([[name]]) => name,
  minLength: 1,
  maxLength: 6,
});
const record = fc
  .tuple(fc.option(timestamp, { freq: 6 }), members, fc.boolean())
  .map(([stamp, fields, stampLast]) => {
    const own = fields.map(([[name, ascii], given]) => `${ascii ? escaped(name) : jsonText(name)}:${given}`);
    const stamps = stamp === null ? [] : [`"timestamp":${stamp}`];
    return `{${(stampLast ? [...own, ...stamps] : [...stamps, ...own]).join(',')}}`;
  });

/** What must be refused, and the whole batch with it. */
const BAD = [
  '{"a,b":1}',
  '{"a":1e999}',
  '{"timestamp":0}',
  '{"a":null,"b":{}}',
  '{"":1}',
  '{"a":{"b":{"c":{"d":1}}}}',
  '{"a.b":1,"a":{"b":2}}',
  `{"${'k'.repeat(129)}":1}`,
  '{"timestamp":"yesterday","a":1}',
  '{"timestamp":"2024-02-29T12:00:00","a":1}',
  '{"timestamp":1.5,"a":1}',
  '{"timestamp":true,"a":1}',
  '{"timestamp":"1699-12-31T23:59:59.999999Z","a":1}',
  '{"timestamp":"2201-01-01T00:00:00Z","a":1}',
  `{${Array.from({ length: 257 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
  '7',
  '[]',
  '{"a":}',
  '{"a":01}',
];
/** Mostly good ones; now and then a bad one among them. */
export const records = (maxLength: number) =>
  fc
    .tuple(fc.array(record, { minLength: 1, maxLength }), fc.nat({ max: 14 }), fc.constantFrom(...BAD))
    .map(([good, dice, bad]) => (dice === 14 ? good.toSpliced(good.length >> 1, 0, bad) : good));

/** What a device sends at once. */
export const sent = fc.oneof(
  records(1).map((each) => ({ type: 'json' as const, body: each[0]! })),
  records(12).map((each) => ({ type: 'json' as const, body: `[ ${each.join(' ,\n')}]` })),
  records(12).map((each) => ({ type: 'ndjson' as const, body: `${each.join('\r\n')}\n` })),
);
