import { expect, test } from 'vitest';
import { createCodec } from './clone.ts';

const { encode, decode } = createCodec();
const cross = (value: unknown) => decode(encode(value));

test.each([
  ['numbers that JSON has no text for', [NaN, Infinity, -Infinity, -0, 1e308, 5e-324]],
  ['what is absent', { absent: undefined, none: null, list: [undefined] }],
  ['text with a lone surrogate', 'a\ud800b'],
  ['an object with a key of its own named __proto__', JSON.parse('{"__proto__":1}')],
  ['whole numbers beyond doubles', 2n ** 80n],
  ['dates, maps and sets', [new Date(5), new Map([[{ a: 1 }, [2]]]), new Set(['x'])]],
  ['arrays that look like the codec’s own marks', ['undefined', ['number', 'NaN']]],
])('%s cross unchanged', (_what, value) => {
  expect(cross(value)).toStrictEqual(value);
});

test('typed arrays keep their type and their part of the buffer, which comes along whole', () => {
  const part = new Float64Array([1, -0, NaN, 4]).subarray(1, 3);
  const crossed = cross({ part, bytes: new Uint8Array([1, 2]) }) as { part: Float64Array; bytes: Uint8Array };
  expect(crossed.part).toStrictEqual(new Float64Array([-0, NaN]));
  expect(crossed.bytes).toStrictEqual(new Uint8Array([1, 2]));
  expect(crossed.part.buffer.byteLength).toBe(32);
});

test('an object arrives without its class, an error without its fields', () => {
  class Sample {
    value = 1;
  }
  expect(Object.getPrototypeOf(cross(new Sample()))).toBe(Object.prototype);
  const error = cross(Object.assign(new RangeError('too far'), { code: 'E_FAR' })) as Error;
  expect([error.name, error.message, 'code' in error]).toEqual(['RangeError', 'too far', false]);
});

test.each([[() => 1], [{ deep: [Symbol('s')] }], [Promise.resolve()]])('%s cannot cross', (value) => {
  expect(() => encode(value)).toThrow('An object could not be cloned.');
});
