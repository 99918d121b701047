import { expect, test } from 'vitest';
import { quote } from '#shared/values/validate.ts';

/* What messages show of a value: its beginning as JSON, at no more cost than that. */

test.each<[unknown, string]>([
  ['a', '"a"'],
  [-0.5, '-0.5'],
  [null, 'null'],
  [undefined, 'undefined'],
  [['a', { b: [1] }], '["a",{"b":[1]}]'],
  ['\ud800', '"\\ud800"'],
  ['x'.repeat(78), `"${'x'.repeat(78)}"`],
  ['x'.repeat(79), `"${'x'.repeat(76)}…`],
])('%j', (value, shown) => {
  expect(quote(value)).toBe(shown);
});

test('a value nested deeper than the stack reaches is cut as any other', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
  expect(quote(deep)).toMatch(/^\[{30}/);
  expect(quote(deep)).toHaveLength(78);
  const object = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`) as unknown;
  expect(quote(object)).toBe(`${'{"a":'.repeat(16).slice(0, 77)}…`);
});

test('a large value is not written out to be cut', () => {
  let read = 0;
  const value = Array.from({ length: 10_000 }, () => ({
    get a() {
      return ++read;
    },
  }));
  quote(value);
  expect(read).toBeLessThan(1000);
});
