import * as fc from 'fast-check';
import { type PayloadForm } from '#core/ingest/payload.ts';

/* Texts of records as devices may send them, good and bad, for properties. */

const blank = fc.constantFrom('', '', '', ' ', '\t', '  ');
export const number = fc.oneof(
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

export const asText = fc
  .tuple(records, fc.constantFrom<PayloadForm>('json', 'lines'), blank, fc.constantFrom('\n', '\r\n', '\r'))
  .map(([list, form, space, lineEnd]) => ({
    form,
    text:
      form === 'json'
        ? `${space}[${list.join(`${space},${lineEnd}`)}]${lineEnd}`
        : list.join(`${space}${lineEnd}`),
  }));
/** One character is left out, doubled or another one. */
export const mutated = fc
  .tuple(
    asText,
    fc.nat(),
    fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '0', '\\', '\n', 'é', '\u0000'),
  )
  .map(([{ form, text: whole }, at, other]) => {
    const place = whole.length === 0 ? 0 : at % whole.length;
    return { form, text: whole.slice(0, place) + other + whole.slice(place + (at % 2)) };
  });
export const cuts = fc.array(fc.nat(4000), { maxLength: 12 });
