import { expect, test } from 'vitest';
import { fileName } from '../../../../../../renderer/views/device/export/save-file.ts';

test('an export has a name that every file system takes', () => {
  expect(fileName('Pump 1/2: "north"?.csv')).toBe('Pump 1-2- -north-.csv');
  expect(fileName('..')).toBe('records');
});
