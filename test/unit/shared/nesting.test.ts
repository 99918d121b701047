import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { jsonObject, storedJsonObject } from '#shared/values/json-object.ts';
import { MAX_NESTING, nestsDeeperThan } from '#shared/values/nesting.ts';
import { quote, validate } from '#shared/values/validate.ts';

/* How deep and how large what is asked may be (docs/running.md, "Limits"). */

const nested = (levels: number): unknown =>
  JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;

/** The rule in the plainest words. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value as Record<string, unknown>).map(depthOf))
    : 0;

describe('levels of a value', () => {
  test('are counted as a plain recursion counts them', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(9), (value, levels) => {
        expect(nestsDeeperThan(value, levels)).toBe(depthOf(value) > levels);
      }),
    );
  });

  test('may be many more than the stack takes', () => {
    expect(nestsDeeperThan(nested(100_000), MAX_NESTING)).toBe(true);
  });

  test('of an object that holds itself are without end', () => {
    const ring: { self?: unknown } = {};
    ring.self = ring;
    expect(nestsDeeperThan(ring, MAX_NESTING)).toBe(true);
  });

  test('of an object that holds another many times cost no more than those there are', () => {
    let value: unknown = 1;
    for (let level = 0; level < 15; level++) value = Array.from({ length: 100 }).fill(value);
    expect(nestsDeeperThan(value, MAX_NESTING)).toBe(false);
    expect(nestsDeeperThan({ value }, 15)).toBe(true);
  });
});

describe('a request', () => {
  const schema = z.object({ metadata: jsonObject });

  test('may be nested 16 deep, its body included', () => {
    expect(validate(schema, { metadata: { a: nested(14) } }).ok).toBe(true);
    expect(validate(schema, { metadata: { a: nested(15) } })).toEqual({
      ok: false,
      message: 'body must nest objects and arrays at most 16 deep',
    });
  });

  test.each([
    ['ASCII', 'x', 1],
    ['of two bytes', 'é', 2],
    ['escaped', '\n', 2],
    ['a lone surrogate, which is escaped', '\ud800', 6],
  ])('may hold a JSON value of 64 KiB of UTF-8: %s', (_what, character, bytes) => {
    const room = 65_536 - '{"a":""}'.length;
    const fits = character.repeat(Math.floor(room / bytes)) + 'x'.repeat(room % bytes);
    expect(validate(schema, { metadata: { a: fits } }).ok).toBe(true);
    const refused = validate(schema, { metadata: { a: `${fits}x` } });
    expect(refused).toMatchObject({ ok: false });
    expect(refused.ok ? '' : refused.message).toMatch(
      /^metadata must be an object of names and JSON values, at most 65,536 bytes of JSON, got \{"a":"/,
    );
  });

  test('that holds one object twice is refused before its size is looked at', () => {
    let value: unknown = 1;
    for (let level = 0; level < 14; level++) value = Array.from({ length: 100 }).fill(value);
    expect(validate(schema, { metadata: { value } })).toMatchObject({ ok: false });
  });

  test('does not bound what is stored already', () => {
    const large = { a: 'x'.repeat(100_000), b: nested(100) };
    expect(storedJsonObject.safeParse(large).success).toBe(true);
  });
});

test('a message shows any value, however odd or large, in at most 80 characters', () => {
  const ring: { self?: unknown } = {};
  ring.self = ring;
  const odd = [ring, 10n, new Uint8Array(1 << 20), [10n], new Map([[1, 2]]), nested(50_000), Symbol('a')];
  for (const value of odd) expect(quote(value).length).toBeLessThanOrEqual(80);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(quote(value)).toBe(json.length <= 80 ? json : `${json.slice(0, 77)}…`);
    }),
  );
});
