import { describe, expect, test } from 'vitest';
import { readList, repeatedNames, tokensFile } from '#shared/domain/device-list.ts';
import { nextName } from '../../../../../renderer/views/devices/new/next-name.ts';

const rows = (text: string) => readList(text, 'http').rows.map(({ row }) => row);
const problems = (text: string) =>
  readList(text, 'http').rows.flatMap(({ line, problem }) => (problem === null ? [] : [[line, problem]]));

describe('a pasted list', () => {
  test('may be names alone', () => {
    expect(rows('PT-1\r\n\r\n  PT-2 \n')).toEqual([
      { name: 'PT-1', source: 'http' },
      { name: 'PT-2', source: 'http' },
    ]);
    expect(rows('')).toEqual([]);
  });

  test.each([
    ['name,tags,brand\nPT-1,"a,b",Acme', ','],
    ['brand;Name;Tags\nAcme;PT-1;a,b', ';'],
    ['\ufeffDevice\tmanufacturer\ttags\nPT-1\tAcme\ta|b', 'tabs and other words'],
  ])('may be a CSV: %j (%s)', (text) => {
    expect(rows(text)).toEqual([{ name: 'PT-1', source: 'http', tags: ['a', 'b'], brand: 'Acme' }]);
  });

  test('says which names come twice, or are there already', () => {
    const { rows: read } = readList('PT-1\nPT-2\npt-1\nPT-1', 'http');
    expect(repeatedNames(read, ['PT-2', 'PT-9'])).toEqual({ twice: ['PT-1'], there: ['PT-2'] });
    expect(repeatedNames(readList('PT-1', 'http').rows, [])).toEqual({ twice: [], there: [] });
  });

  test('may have quotes, line feeds within them, and columns of no use', () => {
    const list = readList('name,description,colour\n"say ""hi""","two\nlines",red\nPT-2,,', 'mqtt');
    expect(list.rows).toEqual([
      { line: 2, row: { name: 'say "hi"', source: 'mqtt', description: 'two\nlines' }, problem: null },
      { line: 4, row: { name: 'PT-2', source: 'mqtt' }, problem: null },
    ]);
    expect(list.unknown).toEqual(['colour']);
  });

  test('says what is wrong, by its line', () => {
    expect(
      problems(
        `name,source,interval_s,tags\n,http,,\nPT-1,usb,,\nPT-2,MQTT,60,\nPT-3,,never,\n${'x'.repeat(101)},,,\nPT-5,,,${'t'.repeat(65)}\nPT-6,,,,more`,
      ),
    ).toEqual([
      [2, 'has no name'],
      [3, 'source must be http or mqtt, not “usb”'],
      [5, 'interval_s must be seconds, from 0.001 to 31536000'],
      [6, 'name has more than 100 characters'],
      [7, 'a tag has more than 64 characters'],
      [8, 'has more cells than there are columns'],
    ]);
    expect(problems('🧪'.repeat(100))).toEqual([]);
  });

  test('has at most ten thousand rows', () => {
    const names = Array.from({ length: 10_001 }, (_, n) => `PT-${n}`);
    expect(readList(names.join('\n'), 'http').problem).toMatch(/^These are 10,001 devices/);
    expect(readList(names.slice(1).join('\n'), 'http').problem).toBe(null);
  });

  test('gives a file of what was made, which a spreadsheet reads', () => {
    const metadata = { device_id: 'id', device_token: 'secret' };
    expect(tokensFile([{ name: 'a, "b"', metadata }])).toBe(
      'name,device_id,device_token\r\n"a, ""b""",id,secret\r\n',
    );
  });
});

test.each([
  ['PT-107', 'PT-108'],
  ['PT-099', 'PT-100'],
  ['Boiler', 'Boiler 2'],
  ['Line 3 / 9', 'Line 3 / 10'],
])('after %s comes %s', (name, next) => {
  expect(nextName(name)).toBe(next);
});
