import { expect, test } from 'vitest';
import { fileName } from '#shared/file-name.ts';

test('a file has a name that every file system takes', () => {
  expect(fileName('Pump 1/2: "north"?', 'csv')).toBe('Pump 1-2- -north-.csv');
  expect(fileName('Größe', 'csv')).toBe('Größe.csv');
  expect(fileName('..', 'csv')).toBe('records.csv');
});
