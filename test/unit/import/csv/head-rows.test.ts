import { describe, expect, test } from 'vitest';
import { file, read } from '../../../helpers/files/csv-files.ts';
import { inspectText } from '../inspecting.ts';

/* No row of data is taken for the names above it, or for their units, without a word. */

const doubted = (text: string) => inspectText(text).doubts.map(({ setting }) => setting);

describe('a first row without names is data', () => {
  test.each(['inf', '\\N', '#DIV/0!', 'None', '---'])(
    'though it holds %j, which is no value',
    async (word) => {
      const { result } = await read(
        file(`1712293020;5,4;${word}`, '1712293030;12,1;6,9', '1712293040;21,9;7,3'),
      );
      expect(result.stored).toBe(3);
    },
  );

  test('or its doubt is said, where it holds a word that may be a name', () => {
    const text = file('1712293020;bad;6', '1712293030;5.4;7', '1712293040;5.6;7');
    expect(doubted(text)).toContain('header');
    expect(inspectText(text, { header: 'no' }).doubts.map(({ setting }) => setting)).not.toContain('header');
  });

  test('and numbers that name columns beside a name for times are not doubted', () => {
    expect(
      doubted(file('time;10;20', '2015-02-04T17:51:00Z;7.4;7.1', '2015-02-04T17:52:00Z;7.5;7.2')),
    ).toEqual([]);
  });
});

test('numbers padded in quotes are data below the names, not units', async () => {
  const { result } = await read(
    file('"Time (s)"|"flow"', '"     0.0"|"  52,162"', '" 86400.0"|"  96,203"', '"172800.0"|"  69,604"'),
    { started: '2026-03-02T20:30:00Z' },
  );
  expect(result.stored).toBe(3);
});
