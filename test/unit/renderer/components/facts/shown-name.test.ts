import { expect, test } from 'vitest';
import { shownName } from '../../../../../renderer/components/facts/shown-name.ts';

test.each(['\u200b', ' \u00a0\t', '\u2060\ufeff', '\u202e', '\u00ad', '\u3164'])(
  '%j is no name to see',
  (name) => {
    expect(shownName(name)).toBe('(no visible name)');
  },
);

test.each(['Pump', 'غرفة الغلايات', '蒸気', '👩\u200d🔧 3', 'می\u200cخواهم'])('%s stays', (name) => {
  expect(shownName(name)).toBe(name);
});

test('nothing in a name turns its letters around', () => {
  expect(shownName('abc \u202egnp.exe')).toBe('abc gnp.exe');
});
