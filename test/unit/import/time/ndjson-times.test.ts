import { describe, expect, test } from 'vitest';
import { importFile } from '../../../helpers/files/imports.ts';
import { inspectText } from '../inspecting.ts';

/* What of the times of NDJSON may be meant otherwise is said where a file is looked at, and in the answer. */

const NDJSON = { settings: { format: 'ndjson' } } as const;
const many = (row: (n: number) => string, rows = 40) =>
  Array.from({ length: rows }, (_, n) => row(n)).join('\n');

/** Notes of an import, and those doubts of an inspection that are among them. */
async function saidOf(text: string) {
  const { result } = await importFile(text, NDJSON);
  const doubts = inspectText(text).doubts.map(({ message }) => message);
  expect(result.notes).toEqual(expect.arrayContaining(doubts));
  return { notes: result.notes, doubts };
}

describe('records that carry no time are told', () => {
  test.each([
    ['"time"', 'time', '"2023-06-01T00:00:00Z"'],
    ['a name of others', '@timestamp', '"2023-06-01T00:00:00Z"'],
    ['another case', 'Timestamp', '"2023-06-01T00:00:00Z"'],
    ['seconds under a short name', 'ts', '1685577600'],
  ])('with the key that may hold it: %s', async (_, key, value) => {
    const text = many((n) => `{"${key}":${value},"a":${n}}`);
    const said = `The records carry no "timestamp", so the time of the import counts for all of them. "${key}", such as ${value}, may be their time: it is kept as a value, and has to be called "timestamp" to be one.`;
    expect(await saidOf(text)).toEqual({ notes: [said], doubts: [said] });
  });

  test('where nothing else may be it, and where others carry one', async () => {
    expect((await saidOf(many((n) => `{"a":${n},"serial":1685577600}`))).doubts).toEqual([
      'The records carry no "timestamp", so the time of the import counts for all of them.',
    ]);
    const some = many((n) => (n === 7 ? '{"a":7}' : `{"timestamp":"2023-06-01T00:00:${n + 10}Z","a":${n}}`));
    expect((await saidOf(some)).doubts).toEqual([
      '1 of 40 records carries no "timestamp", so the time of the import counts for them.',
    ]);
  });
});

test('seconds since 1970, as other programs write them, are told', async () => {
  const text = many((n) => `{"fields":{"t":21.5},"name":"esp","timestamp":${1_685_577_600 + n * 10}}`);
  const said =
    'The times of "timestamp", such as 1685577600, are taken for milliseconds since 1970, by which they are of 1970-01-20. As seconds they would be of 2023-06-01; write them as milliseconds then.';
  const { notes, doubts } = await saidOf(text);
  expect(doubts).toEqual([said]);
  expect(notes).toEqual([said]);
});

test('a clock that was not set, set back or runs ahead is told by its first record', async () => {
  const text = [
    '{"timestamp":"2023-06-01T02:00:00Z","a":1}',
    '',
    '{"timestamp":"2023-06-01T02:01:00Z","a":1}',
    '{"timestamp":"2023-06-01T01:00:00Z","a":1}',
    '{"timestamp":"2190-06-01T01:00:00Z","a":1}',
    '{"timestamp":"1970-01-01T00:00:05Z","a":1}',
  ].join('\n');
  expect((await saidOf(text)).notes).toEqual([
    '"timestamp" holds 1 time of 1970, first "1970-01-01T00:00:05.000000Z" in record 5: the clock may not have been set.',
    '"timestamp" holds 1 time in the future, first "2190-06-01T01:00:00.000000Z" in record 4: the clock may have been set wrong.',
    '"timestamp" goes back 2 times, first to "2023-06-01T01:00:00.000000Z" in record 3: the clock may have been set, or rows are of several recordings.',
  ]);
});

test('of times that are right nothing is said', async () => {
  const text = many((n) => `{"timestamp":${1_685_577_600_000 + n},"a":${n},"at":"2023-06-01T00:00:00Z"}`);
  expect(await saidOf(text)).toEqual({ notes: [], doubts: [] });
});
