import { writeFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileName } from '#shared/values/file-name.ts';

test('a file has a name that every file system takes', () => {
  expect(fileName('Pump 1/2: "north"?', 'csv')).toBe('Pump 1-2- -north-.csv');
  expect(fileName('Größe', 'csv')).toBe('Größe.csv');
  expect(fileName('..', 'csv')).toBe('records.csv');
});

test.each(['con', 'NUL', 'Aux', 'com1', 'LPT³', 'prn.old', 'con .x', 'CONOUT$'])(
  'what Windows takes for a device is a name with a letter before it: %s',
  (name) => {
    expect(fileName(name, 'csv')).toBe(`_${name}.csv`);
  },
);

test.each(['console', 'com', 'com10', 'lpt', 'null', 'a con', 'con1'])(
  'what only begins or ends like one is left as it is: %s',
  (name) => {
    expect(fileName(name, 'csv')).toBe(`${name}.csv`);
  },
);

test.each([
  ['letters', 'a'.repeat(300), 251],
  ['letters of two bytes', 'ü'.repeat(300), 125],
  ['signs of four bytes', '🔧'.repeat(100), 62],
])('a name of %s is cut where a file system would refuse it, between characters', (_what, name, kept) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldbench-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = fileName(name, 'csv');
  writeFileSync(join(folder, file), '');
  expect(readdirSync(folder)).toEqual([file]);
  expect(file).toBe(`${Array.from(name).slice(0, kept).join('')}.csv`);
});
