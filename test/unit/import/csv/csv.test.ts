import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCsv, type CsvFault, type CsvRow } from '#core/import/text/csv.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}

async function split(text: string, delimiter = ',', size = text.length || 1) {
  const found: (CsvRow | CsvFault)[] = [];
  const shape = { delimiter, lineEnd: '\n', firstLine: 1 } as const;
  for await (const rows of readCsv(inPieces(text, size), shape)) found.push(...rows);
  return found.map((one) =>
    'cells' in one
      ? [one.line, ...one.cells.map(({ text: field, quoted }) => (quoted ? `"${field}"` : field))]
      : one,
  );
}

describe('splitting CSV', () => {
  test('reads fields as RFC 4180 has them, and the line each row begins at', async () => {
    expect(await split('a,b\r\n1,"x ""y"", z"\r\n\r\n"two\r\nlines",\n,\n"",5" pipe')).toEqual([
      [1, 'a', 'b'],
      [2, '1', '"x "y", z"'],
      [4, '"two\r\nlines"', ''],
      [6, '', ''],
      [7, '""', '5" pipe'],
    ]);
  });

  test('leaves blanks around fields out, and those in quotes in', async () => {
    expect(await split(' a , " b " ,c\t\n')).toEqual([[1, 'a', '" b "', 'c']]);
    expect(await split('\ta\t" b "\t\n', '\t')).toEqual([[1, '', 'a', '" b "', '']]);
  });

  test('loses only the line of a stray quote', async () => {
    expect(await split('a,b\n1,"x"y\n2,"3\n4,"5"\n6,7\n8,"9')).toEqual([
      [1, 'a', 'b'],
      { line: 2, message: 'a " inside a text must be doubled, and the whole text must stand in quotes' },
      { line: 3, message: 'a " inside a text must be doubled, and the whole text must stand in quotes' },
      [4, '4', '"5"'],
      [5, '6', '7'],
      { line: 6, message: 'a text that begins with " must end with ", and none follows' },
    ]);
  });

  test('gives the same rows however the file is cut into pieces', async () => {
    const text = fc.array(
      fc.constantFrom('a', '7', '"', '""', ',', '\n', '\r\n', ' ', '"x"', '"x\ny"', ',"'),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (parts, size) => {
        const file = parts.join('');
        expect(await split(file, ',', size)).toEqual(await split(file));
      }),
      { numRuns: 300 },
    );
  });

  test('gives back any fields that are quoted as they must be', async () => {
    const field = fc.string({ unit: 'binary' });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        async (rows) => {
          const file = rows
            .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
            .join('\r\n');
          expect((await split(file, ',', 5)).map((row) => (row as unknown[]).slice(1))).toEqual(
            rows.map((row) => row.map((one) => `"${one}"`)),
          );
        },
      ),
    );
  });

  test('reads a text of megabytes, whatever quotes are in it, and the rows behind it', async () => {
    const text = 'pump "A" stopped,\n'.repeat(100_000);
    const file = `a,b\n1,"${text.replaceAll('"', '""')}"\n2,3\n`;
    expect(await split(file, ',', 16_384)).toEqual([
      [1, 'a', 'b'],
      [2, '1', `"${text}"`],
      [100_003, '2', '3'],
    ]);
  });

  test.each([
    ['', 0],
    ['"q"', 1],
  ])('gives up on a row of a million fields, and on its line alone (beginning with %s)', async (begin, n) => {
    const file = `${begin}${','.repeat(1 << 20)},\n${n},2\n`;
    expect(await split(file, ',', 65_536)).toEqual([
      { line: 1, message: 'a row must have at most 65,536 fields' },
      [2, String(n), '2'],
    ]);
  });

  test('gives up on a quote that is never closed after 16 Mi characters, and on its line alone', async () => {
    const lines = `${'x'.repeat(1023)}\n`.repeat(17 * 1024);
    const found = await split(`a,"b\n${lines}`, ',', 65_536);
    expect(found[0]).toEqual({
      line: 1,
      message: 'a row must be at most 16 Mi characters; a " is probably never closed',
    });
    expect(found).toHaveLength(1 + 17 * 1024);
    expect(found.at(-1)?.[0 as never]).toBe(17 * 1024 + 1);
  });
});
