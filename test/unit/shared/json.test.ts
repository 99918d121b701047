import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '#shared/values/json.ts';

/* The reader against a writer of its own that escapes what it likes, after the runtime was taught keys that mislead it. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Keys that begin as an escape is written, which is what the runtime takes for an escape. */
const MISLEADING = ['\\', '\\u', '\\u0', '\\u00', '\\u00b', '\\n', '\\"', '\\\\', 'a\\', 'a\\u', '\\u00b5'];

const key = fc.oneof(
  fc.constantFrom(...MISLEADING),
  fc.constantFrom('µ', '°', 'é', 'B', '\n', '\r', '"', '/', '\u0000', '\u2028', '\ud83c', '\udf21', '🌡'),
  fc.constantFrom('', 'a', 'q', 'µm', 'aµ', 'a"', '__proto__', 'constructor', '0', '10', 'timestamp'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -1.5, 1e300),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom('"', '\\', '{"\\u00b5":1}', '\\":', ':'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(objectOf),
  ),
}));

function objectOf(entries: readonly (readonly [string, Json])[]): Json {
  // Unlike assignment, this makes "__proto__" a key like any other.
  return Object.fromEntries(entries);
}

const NAMED: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
};

/** Writes a value as JSON; `choose` says, each time it is asked, whether a character is escaped that need not be. */
function write(json: Json, choose: () => number): string {
  const space = () => ['', '', ' ', '\n', '\t '][choose() % 5] ?? '';
  const text = (plain: string) =>
    `"${plain
      .split('')
      .map((unit) => {
        const must = unit < ' ' || unit === '"' || unit === '\\';
        if (!must && choose() % 3 > 0) return unit;
        const hex = `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
        return choose() % 2 === 0 ? (NAMED[unit] ?? hex) : hex;
      })
      .join('')}"`;
  if (typeof json === 'string') return space() + text(json) + space();
  if (json === null || typeof json !== 'object') return space() + String(json) + space();
  if (Array.isArray(json)) return `[${json.map((item: Json) => write(item, choose)).join(',')}]`;
  const members = Object.entries(json).map(
    ([name, member]) => `${space()}${text(name)}${space()}:${write(member, choose)}`,
  );
  return `${space()}{${members.join(',')}${space()}}`;
}

/** Lets the runtime see the misleading keys where the text about to be read has its own. */
function mislead(json: Json): void {
  if (json === null || typeof json !== 'object') return;
  const before: [string, Json][] = [];
  for (const [name, member] of Object.entries(json)) {
    if (!Array.isArray(json))
      for (const misleading of MISLEADING)
        JSON.parse(JSON.stringify(Object.fromEntries([...before, [misleading, 0]])));
    before.push([name, 0]);
    mislead(member);
  }
}

/** What tells two values apart, the order of keys and the sign of zero included. */
const shown = (json: unknown) =>
  JSON.stringify(json, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.entries(member).flat()
      : member,
  );

test('the runtime is misled, or parseJson has become needless', () => {
  JSON.parse('{"misled":1,"\\\\":1}');
  expect(Object.keys(JSON.parse('{"misled":1,"\\u00b5":2}') as object)).toEqual(['misled', '\\']);
});

test('every key is the one that was written, whatever was read before', () => {
  fc.assert(
    fc.property(value, fc.array(fc.nat(29), { minLength: 1, maxLength: 40 }), (json, choices) => {
      let asked = 0;
      const text = write(json, () => choices[asked++ % choices.length] ?? 0);
      mislead(json);
      expect(shown(parseJson(text))).toBe(shown(json));
    }),
    { numRuns: 3_000 },
  );
});

test('of a key that is written twice, once with an escape, the last value counts', () => {
  expect(parseJson('{"a":1,"b":2,"\\u0061":3}')).toEqual({ a: 3, b: 2 });
});

test('"__proto__" beside an escaped key is a key like any other', () => {
  const read = parseJson('{"__proto__":{"x":1},"\\u00b5":2}') as object;
  expect(Object.entries(read)).toEqual([
    ['__proto__', { x: 1 }],
    ['µ', 2],
  ]);
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});

test('any depth is read', () => {
  const depth = 100_000;
  let read = parseJson(`${'{"\\u00b5":['.repeat(depth)}${']}'.repeat(depth)}`) as Record<string, unknown[]>;
  let levels = 0;
  for (; read['µ']?.[0] !== undefined; levels++) read = read['µ'][0] as typeof read;
  expect(levels).toBe(depth - 1);
});

describe('what is no JSON is refused in the words of the runtime', () => {
  test.each([
    '',
    '{"\\u00b5":1',
    '{"\\u00b5":1,}',
    '{"\\x":1}',
    '{"\\u00b":1}',
    '["\\u00b5":1]',
    '{"a"1}',
    '\\',
  ])('%s', (text) => {
    const refusal = (read: () => unknown) => {
      try {
        return read();
      } catch (error) {
        return error instanceof SyntaxError ? error.message : error;
      }
    };
    expect(refusal(() => parseJson(text))).toBe(refusal(() => JSON.parse(text)));
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});
