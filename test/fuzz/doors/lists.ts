import * as fc from 'fast-check';

/* Lists and files that are asked for rightly, or with one thing wrong: paths with the queries that they take. */

const instant = fc.oneof(
  fc.constantFrom(
    '2023-11-14T22:13:20Z',
    '2023-11-14T22:15:00.5Z',
    '2026-03-02T20:30:21.202946Z',
    '1700-01-01T00:00:00Z',
    '2200-12-31T23:59:59.999999Z',
    '2026-01-01T00:00:00%2B14:00',
  ),
  fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString()),
);
const page = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(1_000_000, Number.MAX_SAFE_INTEGER));
const limit = fc.oneof(fc.constantFrom(1, 10_000), fc.integer({ min: 1, max: 300 }));
/** Rarely the widest, which is some MB. */
const width = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 300 }), weight: 20 },
  fc.constantFrom(1, 10_000),
);
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
const word = fc.oneof(
  fc.constantFrom('fuzzed', 'FÜZZED', 'esp32', 'é', 'a,b', '"', '10', '2').map(encoded),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map(encoded),
);
const words = fc.array(word, { maxLength: 4 }).map((all) => all.join('%20'));
const keys = fc
  .array(fc.oneof(fc.constantFrom('witness', 'a', 'b', 'text', 'on', '__proto__', 'timestamp'), word), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all) => all.join(','));

type Fields = Readonly<Record<string, fc.Arbitrary<string | number>>>;
const PAGED: Fields = { page, limit };
const SPAN: Fields = { start: instant, end: instant };

/** Each with what its query takes; `$v2` and `$local` are the device under either part of the API. */
const LISTS: readonly (readonly [path: string, fields: Fields])[] = [
  ['$v2/data', { ...PAGED, range: fc.constant('all'), keys }],
  ['$v2/data', { ...PAGED, ...SPAN, range: fc.constant('time') }],
  ['$v2/data', { ...PAGED, ...SPAN, range: fc.constantFrom('all', 'time'), keys }],
  ['$v2/data/keys', {}],
  ['$local/series', { ...SPAN, keys, width }],
  ['$local/records', { ...SPAN, keys, format: fc.constantFrom('csv', 'ndjson') }],
  ['$local/impact', SPAN],
  ['$local/summary', {}],
  [
    '/_local/v1/projects/$project/devices',
    {
      ...PAGED,
      search: words,
      tags: words,
      source: fc.constantFrom('http', 'mqtt'),
      sort: fc.constantFrom('seen', 'created', 'name'),
    },
  ],
  ['/_local/v1/projects/$project/functions', {}],
  ['/_local/v1/projects/$project/widgets', {}],
  ['/_local/v1/projects/$project/key-settings', { device_id: words }],
  ['/_local/v1/projects/$project/devices/$device/notes', {}],
  [
    '/_local/v1/projects/$project/alarms',
    { ...PAGED, ...SPAN, device_id: words, function_id: words, state: fc.constantFrom('open', 'due') },
  ],
  ['/_local/v1/alarms', { limit, state: fc.constantFrom('ended', 'withdrawn') }],
  ['/_local/v1/projects/$project/devices/$device/corrections', {}],
  ['/_local/v1/projects/$project/devices/$device/corrections/history', { correction_id: words }],
  ['/_local/v1/views', {}],
  ['/_local/v1/projects/$project/impact', {}],
  ['/_local/v1/accounts', {}],
  ['/v2/projects/$project/devices', {}],
];

export interface List {
  readonly path: string;
  readonly query: string;
}

/** `wild` is a query's `name=value` that may be anything; here and there one takes the place of a right one. */
export function lists(wild: fc.Arbitrary<string>): fc.Arbitrary<List> {
  return fc.constantFrom(...LISTS).chain(([path, fields]) => {
    const pairs = Object.entries(fields).map(([name, value]) =>
      fc.oneof(
        { arbitrary: value.map((made) => `${name}=${made}`), weight: 16 },
        { arbitrary: wild, weight: 1 },
        { arbitrary: fc.constant(''), weight: 2 },
      ),
    );
    return fc.tuple(...pairs).map((all) => ({ path, query: all.filter((one) => one !== '').join('&') }));
  });
}
