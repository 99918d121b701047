import { expect, test } from 'vitest';
import { foundWords } from '../../../../renderer/import/found-words.ts';

test('what a file holds is said of its rows, also where none becomes a record', () => {
  expect(foundWords({ records: 0, unreadable: 0, empty: 0 })).toBe(
    '0 records: there is no row below the names',
  );
  expect(foundWords({ records: 0, unreadable: 0, empty: 2 })).toBe(
    '0 records · 2 rows without a value are left out',
  );
  expect(foundWords({ records: 0, unreadable: 1, empty: 0 })).toBe('0 records · 1 row that cannot be read');
  expect(foundWords({ records: 1, unreadable: 0, empty: 0 })).toBe('1 record · every row can be read');
  expect(foundWords({ records: 9, unreadable: 2, empty: 1 })).toBe(
    '9 records · 2 rows that cannot be read · 1 row without a value is left out',
  );
});
