import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHost, type Host } from './host.ts';
import { hunt } from './hunt.ts';
import { jsonText, readJson, type Json } from './json.ts';
import { csvText, Records } from './model.ts';
import { Fault, readBody } from './payload.ts';
import { FIRST_TIME, LAST_TIME, readTime, writeTime } from './time.ts';

/* Who judges must be right: what the model is made of, and whether a service that lies is found out. */

const plain = (value: Json): unknown =>
  value instanceof Map
    ? Object.fromEntries([...value].map(([key, each]) => [key, plain(each)]))
    : Array.isArray(value)
      ? value.map(plain)
      : value;

describe('the reader and writer of JSON', () => {
  test('read what the runtime writes', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(plain(readJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('write texts as the runtime does', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\ud800', 'a\udfff!', '\u0000"\\\u007f'),
    );
    fc.assert(
      fc.property(text, (given) => {
        expect(jsonText(given)).toBe(JSON.stringify(given));
      }),
    );
  });

  test.each(['{"a":01}', '{"a":}', "{'a':1}", '[1,]', '"\n"', '"\\x"', '1 2', '', 'nul'])(
    'refuse %j',
    (text) => {
      expect(() => readJson(text)).toThrow(SyntaxError);
    },
  );

  test('know a lone backslash from an escaped character', () => {
    const lines = ['{"a":1,"\\\\":true}', '{"a":1,"\\u00b5":2}'].map(
      (line) => readJson(line) as Map<string, Json>,
    );
    expect(lines.map((line) => [...line.keys()])).toEqual([
      ['a', '\\'],
      ['a', 'µ'],
    ]);
  });
});

describe('times', () => {
  const instants = fc.integer({ min: FIRST_TIME, max: LAST_TIME });

  test('are written as the runtime writes them, and read back', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (time, offset) => {
        const ms = new Date(Math.floor(time / 1000)).toISOString().slice(0, -1);
        expect(writeTime(time).slice(0, -4)).toBe(ms);
        expect(readTime(writeTime(time, offset))).toBe(time);
      }),
    );
  });

  test('end where records end', () => {
    expect([FIRST_TIME, LAST_TIME].map((time) => writeTime(time))).toEqual([
      '1700-01-01T00:00:00.000000Z',
      '2200-12-31T23:59:59.999999Z',
    ]);
    expect(readTime('2024-02-29T12:00:00.0000019+01:00')).toBe(Date.UTC(2024, 1, 29, 11) * 1000 + 1);
  });
});

describe('the model', () => {
  test('reads bodies', () => {
    expect(readBody('{"timestamp":1,"b":{"c":[null,"x"]},"a":-0}', 'json')).toEqual([
      {
        time: 1000,
        fields: [
          ['a', -0],
          ['b.c.1', 'x'],
        ],
      },
    ]);
    expect(() => readBody('{"a":1}\n{"a,b":1}', 'ndjson')).toThrow(new Fault(2, 'a,b'));
  });

  test('keeps the order of arrival, and counts and draws numbers alone', () => {
    const records = new Records();
    records.add([
      { time: 5, fields: [['a', 3]] },
      { time: 0, fields: [['a', 1]] },
    ]);
    records.add([
      { time: 0, fields: [['a', 'x']] },
      { time: 0, fields: [['a', -0]] },
    ]);
    expect(csvText(records.rows(), ['a'])).toBe(
      ['timestamp,"a"', ...['1', '"x"', '-0'].map((cell) => `1970-01-01T00:00:00.000000Z,${cell}`)]
        .concat('1970-01-01T00:00:00.000005Z,3', '')
        .join('\r\n'),
    );
    expect(records.keys()).toEqual([{ key: 'a', count: 4, numeric: 3 }]);
    expect(records.series({ start: 0, end: 5 }, ['a'], 2).get('a')).toEqual([
      { count: 2, min: 0, max: 1, first: 1, last: 0 },
      { count: 1, min: 3, max: 3, first: 3, last: 3 },
    ]);
    expect(records.remove({ start: 0, end: 4 })).toBe(3);
  });
});

describe('a service that leaves out the newest record of a page where there are more than two', () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host.close());

  const forgetful = (): Host => ({
    ...host,
    async fetch(path, init) {
      const answer = await host.fetch(path, init);
      if (!path.includes('/data?') || Number(answer.headers.get('x-total-count')) <= 2) return answer;
      const text = (await answer.text()).replace(/"data":\[\{[^}]*\},?/, '"data":[');
      return new Response(text, { status: answer.status, headers: answer.headers });
    },
    // The same process again and again: that is enough here, and quick.
    close: () => Promise.resolve(),
  });

  test('is found out, with little that shows it', { timeout: 120_000 }, async () => {
    const start = () => Promise.resolve(forgetful());
    const { finding } = await hunt({ kind: 'calm', seed: 3, scripts: 30, shrinkMs: 15_000, start });
    const steps = finding?.scripts.flatMap((script) => script.steps) ?? [];
    expect(steps.map((step) => step.do)).toHaveLength(1);
    expect(finding?.difference.message).toMatch(
      /page 1 of \d+, \d+ records: from character \d+|\d+ records without a time.*: found/,
    );
    expect(finding?.difference.shell).toContain('curl -s -X POST -H "Authorization: Bearer $KEY"');
  });
});
