import { expect, test } from 'vitest';
import { nameAfter, nameAfterAll } from '../../../../../renderer/import/files/file-names.ts';

const named = (...names: string[]) => nameAfterAll(names.map((name) => ({ name })));

test('a device is called after its file, without what says its format', () => {
  expect(nameAfter({ name: 'pump 7.2.csv' })).toBe('pump 7.2');
  expect(nameAfter({ name: '.csv' })).toBe('.csv');
  expect(nameAfter({ name: `${'n'.repeat(200)}.csv` })).toHaveLength(100);
});

test.each([
  ['pump 7', ['pump 7_2026-10-01.csv', 'pump 7_2026-10-02.csv', 'pump 7_2026-10-12.csv']],
  ['pump 7', ['pump 7_2026-09-30.csv', 'pump 7_2026-10-01.csv']],
  ['pump7', ['pump7 (01.10.2026).csv', 'pump7 (12.10.2026).csv']],
  ['pump7', ['pump7_20261001.csv', 'pump7_20261002.csv']],
  ['Logger', ['Logger1.txt', 'Logger2.txt', 'Logger12.txt']],
  ['kessel', ['kessel-mo.csv', 'kessel-mi.csv']],
  ['run', ['run.csv', 'run (2).csv']],
  ['Öfen', ['Öfen Nord.csv', 'Öfen Süd.csv']],
])('%s is what %j have in common', (name, files) => {
  expect(named(...files)).toBe(name);
});

test('where they have nothing in common, or it is one file, the first one’s name counts', () => {
  expect(named('pump.csv', 'oven.csv')).toBe('pump');
  expect(named('2026-10-01.csv', '2026-10-02.csv')).toBe('2026-10-01');
  expect(named('pump 7_2026-10-01.csv')).toBe('pump 7_2026-10-01');
  expect(named()).toBe('');
});
