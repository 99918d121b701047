import { describe, expect, test } from 'vitest';
import { file, read, refusal } from '../../../helpers/files/csv-files.ts';
import { inspectText } from '../inspecting.ts';

/* Commas that stand before decimals or flags where commas stand between fields. */

describe('a comma in quotes, between commas', () => {
  const rows = (...texts: readonly string[]) =>
    file('"DATE","TMP"', ...texts.map((text, row) => `"2015-02-04T17:5${row}:00","${text}"`));

  test.each([
    ['behind padded digits', '+0011,5', '-0009,1', '+0112,5'],
    ['before flags of few kinds', '10208,1', '10211,1', '99999,9'],
  ])('%s is doubted, and text_columns is the way out', async (_, ...texts) => {
    const text = rows(...texts);
    expect(inspectText(text).doubts).toMatchObject([
      { setting: 'text_columns', options: ['', 'TMP'], columns: ['TMP'] },
    ]);
    expect((await read(text)).notes).toContain(`Values of "TMP" such as "${texts[0]}" are read as numbers`);
    const kept = { text_columns: 'TMP' };
    expect((await read(text, kept)).values).toEqual(texts.map((TMP) => ({ TMP })));
    expect(inspectText(text, kept).doubts).toEqual([]);
    expect(inspectText(text, { decimal_mark: ',' }).doubts).toEqual([]);
  });

  test('before decimals of many kinds is not', () => {
    expect(inspectText(rows('21,5', '21,6', '21,9', '22,0', '22,4')).doubts).toEqual([]);
  });
});

describe('decimal commas without quotes between commas are refused by what they look like', () => {
  test.each([
    ['of every value', 'time,a,b', ['21,5,45,2', '21,6,45,0', '-1,7,44,9']],
    ['of some values', 'time,a,b', ['21,5,45', '21,6,45', '21,7,44']],
    ['of the only value', 'time,a', ['21,5', '21,6', '22,0']],
    ['below a title', 'Logger 4\ntime,a,b', ['21,5,45,2', '21,6,45,0', '-1,7,44,9']],
    ['behind two columns of a time', 'date,time,a', ['17:00,21,5', '17:01,21,6', '17:02,22,0']],
  ])('%s', async (_, head, rows) => {
    const day = head.startsWith('date') ? '2015-02-04,' : '2015-02-04 17:00,';
    const text = file(head, ...rows.map((row) => `${day}${row}`));
    const message = await refusal(text, { on_error: 'keep' });
    expect(message).toMatch(
      /^line [23]: rows have \d fields and \d names stand above them, as if commas stood/,
    );
    expect(message).toMatch(
      /such as "21,5".*Say so where it is the last columns that have no name \[unnamed_column=last\]/,
    );
    expect(inspectText(text)).toMatchObject({ state: 'needs-choice', problem_with: 'unnamed_column' });
    const { values } = await read(text, { unnamed_column: 'last' });
    expect(values[0]).toMatchObject({ a: 21 });
  });

  test.each([
    ['where a point stands before decimals', ['21.5,4', '21.6,5', '22,6']],
    ['where the field without a name is signed', ['21,-4', '21,-5', '22,6']],
    ['where it is empty', ['21,', '21,', '22,']],
  ])('but not %s', async (_, rows) => {
    const text = file('time,a', ...rows.map((row, n) => `2015-02-04 17:0${n},${row}`));
    expect((await read(text)).values).toHaveLength(3);
  });
});
