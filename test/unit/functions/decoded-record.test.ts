import { describe, expect, test } from 'vitest';
import { recordOf } from '#core/functions/decoded-record.ts';

/* What becomes of a payload and its decoder's answer (docs/functions.md, "What is stored"). */

const UPLINK = { timestamp: 5, received: 7, bytes: Buffer.from('01ff', 'hex'), port: 3 };

function stored(answer: unknown, uplink = UPLINK) {
  const { timestamp, received, keys, values } = recordOf(uplink, { ok: true, text: JSON.stringify(answer) });
  expect([timestamp, received]).toEqual([5, 7]);
  expect(new Set(keys).size).toBe(keys.length);
  return Object.fromEntries(keys.map((key, i) => [key, values[i]]));
}

const RAW = { 'uplink.bytes': '01ff', 'uplink.port': 3 };

test('data are flattened beside the bytes', () => {
  expect(stored({ data: { t: 21.5, air: { co2: 400, list: [true, null, 'x'] } } })).toEqual({
    ...RAW,
    t: 21.5,
    'air.co2': 400,
    'air.list.0': true,
    'air.list.2': 'x',
  });
});

test('a port that the device did not send is no value', () => {
  const { port: _, ...rest } = UPLINK;
  const { keys } = recordOf({ ...rest, port: null }, { ok: true, text: '{"data":{"t":1}}' });
  expect(keys).toEqual(['uplink.bytes', 't']);
});

test('warnings are kept, one a line', () => {
  expect(stored({ data: { t: 1 }, warnings: ['low battery', { code: 7 }] })).toEqual({
    ...RAW,
    t: 1,
    'uplink.warning': 'low battery\n{"code":7}',
  });
  expect(stored({ data: { t: 1 }, warnings: [] })).toEqual({ ...RAW, t: 1 });
});

test('the time is not the decoder’s to set', () => {
  expect(stored({ data: { timestamp: 1_700_000_000, t: 1 } })).toEqual({
    ...RAW,
    'data.timestamp': 1_700_000_000,
    t: 1,
  });
  expect(stored({ data: { timestamp: 1, data: { level: 2 } } })).toEqual({
    ...RAW,
    'data.timestamp': 1,
    'data.level': 2,
  });
});

test('names of Object.prototype are keys as any others', () => {
  const text = '{"data":{"__proto__":1,"constructor":{"name":"x"}}}';
  expect(recordOf(UPLINK, { ok: true, text }).keys).toEqual([
    'uplink.bytes',
    'uplink.port',
    '__proto__',
    'constructor.name',
  ]);
});

describe('where there is no data the bytes are kept with the reason', () => {
  test.each([
    [{ errors: ['unknown port', 'too short'] }, 'unknown port\ntoo short'],
    [{ errors: 'unknown port', data: { t: 1 } }, 'unknown port'],
    [null, 'the decoder must return an object, got null'],
    [[1], 'the decoder must return an object, got [1]'],
    [{}, 'the decoder must return data as an object, got undefined'],
    [{ data: [1] }, 'the decoder must return data as an object, got [1]'],
    [{ data: { 'a,b': 1 } }, 'a key must not contain ",", got "a,b"'],
    [{ data: { '': 1 } }, 'a key must not be empty'],
    [
      { data: { uplink: { bytes: 'x' } } },
      'the key "uplink.bytes" is kept for what a decoder takes and says',
    ],
    [{ data: { 'a.b': 1, a: { b: 2 } } }, 'two values for the key "a.b"'],
    [{ data: { timestamp: 1, 'data.timestamp': 2 } }, 'two values for the key "data.timestamp"'],
    [{ data: { long: 'x'.repeat(70_000) } }, /^the text of "long" must be at most 65,536 characters/],
  ])('%j', (answer, message) => {
    const { 'uplink.error': error, ...others } = stored(answer);
    expect(others).toEqual(RAW);
    if (typeof message === 'string') expect(error).toBe(message);
    else expect(error).toMatch(message);
  });

  test('too many keys', () => {
    const data = Object.fromEntries(Array.from({ length: 254 }, (_, i) => [`k${i}`, i]));
    expect(stored({ data })).toMatchObject({ 'uplink.error': 'a decoder returns at most 253 keys' });
    delete data.k0;
    const most = stored({ data, warnings: ['w'] });
    expect(Object.keys(most)).toHaveLength(256);
    expect(most['uplink.error']).toBeUndefined();
  });

  test('whatever the sandbox says, cut to 500 characters', () => {
    const { keys, values } = recordOf(UPLINK, { ok: false, kind: 'thrown', message: 'é'.repeat(600) });
    const error = values[keys.indexOf('uplink.error')];
    expect(error).toBe(`${'é'.repeat(499)}…`);
  });
});
