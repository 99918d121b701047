import { expect, test } from 'vitest';
import { doubtWords } from '../../../../renderer/import/doubt-words.ts';

test.each([
  [
    'The numbers of "time", such as "46000.25", are taken for days since 1899-12-30, as spreadsheets count them; set time_kind where they are something else, such as days since 1904-01-01, as spreadsheets on an old Mac count them.',
    'The numbers of "time", such as "46000.25", are taken for days since 1899-12-30, as spreadsheets count them.',
  ],
  [
    'The row in line 1, which holds "5.5", is taken for names; set header to "no" where it is data.',
    'The row in line 1, which holds "5.5", is taken for names.',
  ],
  [
    '"bar" holds "-999", far from all other values, which often stands for no value. It is kept as a number; set missing_words to leave it out.',
    '"bar" holds "-999", far from all other values, which often stands for no value. It is kept as a number; choose it as a word for missing values to leave it out.',
  ],
  [
    'where a flag stands behind the comma, set text_columns to keep them as they are written.',
    'where a flag stands behind the comma, choose the columns to keep them as they are written.',
  ],
  [
    'for that set time_kind to "elapsed-s" and started to that day, such as "1904-01-01T00:00:00Z".',
    'for that choose “Seconds since the start” in the head of the times, and that day as its beginning, such as "1904-01-01T00:00:00Z".',
  ],
  ['Clocks in Europe/Berlin changed.', 'Clocks in Europe/Berlin changed.'],
])('a doubt is asked without names of settings: %s', (message, words) => {
  expect(doubtWords({ message })).toBe(words);
});
