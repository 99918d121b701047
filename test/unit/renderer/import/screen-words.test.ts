import { expect, test } from 'vitest';
import { fileSettings } from '#shared/operations/records/record-files.ts';
import { answerWords } from '../../../../renderer/import/answer-words.ts';
import { screenWords } from '../../../../renderer/bridge/screen-words.ts';
import { file } from '../../../helpers/files/csv-files.ts';
import { inspectText } from '../../import/inspecting.ts';

const SETTINGS = new RegExp(
  `\\b(?:${Object.keys(fileSettings)
    .filter((name) => name.includes('_'))
    .join('|')})\\b|=`,
);
const at = (minute: number) => `2015-02-04T17:${minute}:00Z`;

test.each([
  ['missing_words', file('time,a', `${at(51)},1.5`, `${at(52)},-999`), ['A number', 'No value']],
  [
    'missing_words',
    file('time,a,b', `${at(51)},1.5,1`, `${at(52)},-999,9999`, `${at(53)},1.6,2`),
    ['Numbers', 'No value: -999', 'No value: 9999', 'No value: -999, 9999'],
  ],
  ['header', file('fault,20.5', '1.7,21', '1.8,22'), ['Names', 'Data']],
  ['date_order', file('time,a', '02/03/2015 17:51,1', '02/03/2015 17:52,2'), ['Day first', 'Month first']],
  [
    'time_kind',
    file('time,a', '444700000,1', '444700060,2'),
    ['Seconds since 1970', 'Seconds since the start'],
  ],
  ['decimal_mark', file('time;a', `${at(51)};1,234`, `${at(52)};1,235`), null],
])('what is asked of %s names no setting as programs do', (setting, text, answers) => {
  const doubt = inspectText(text).doubts.find((one) => one.setting === setting);
  expect(doubt).toBeDefined();
  expect(screenWords(doubt?.message ?? '')).not.toMatch(SETTINGS);
  const given = doubt?.options.map((_, place) => answerWords(doubt, place));
  if (answers) expect(given?.toSorted()).toEqual(answers.toSorted());
  for (const answer of given ?? []) expect(answer).not.toMatch(/^(?:yes|no|)$|_/);
});

test('refusals lose what they say to programs, and nothing else', () => {
  expect(
    screenWords(
      'line 3: t holds "13/02". Say that the day is first [date_order=day-first]. Nothing was imported.',
    ),
  ).toBe('line 3: t holds "13/02". Say that the day is first. Nothing was imported.');
  expect(screenWords('"Temperature [°C]" and "a [b=c]" hold -999.')).toBe(
    '"Temperature [°C]" and "a [b=c]" hold -999.',
  );
});
