import { describe, expect, test } from 'vitest';
import {
  firstError,
  keyChanges,
  previewWords,
  spacedHex,
} from '../../../../../../renderer/views/device/decoder/difference-rows.ts';
import { indented, lineSpan, outdented } from '../../../../../../renderer/views/device/decoder/indent.ts';

/* What decoding again would change, in words; and how lines of a script are moved. */

const AT = { timestamp: '2026-01-01T00:00:00.000000Z', 'uplink.bytes': '00d7', 'uplink.port': 2 };

test('keys that differ come first, and how a payload came is none', () => {
  const before = { ...AT, a: 1, b: 2, c: 'x', 'uplink.error': 'too short' };
  const after = { ...AT, a: 1, b: 3, d: false };
  expect(keyChanges(before, after)).toEqual([
    { key: 'b', before: '2', after: '3', change: 'changed' },
    { key: 'c', before: 'x', after: null, change: 'gone' },
    { key: 'uplink.error', before: 'too short', after: null, change: 'gone' },
    { key: 'd', before: null, after: 'false', change: 'new' },
    { key: 'a', before: '1', after: '1', change: 'same' },
  ]);
});

test.each([
  [[0, 0, 0, 0], 'No payloads are stored here yet.'],
  [[1, 0, 0, 0], '1 payload: nothing would change.'],
  [[1200, 12, 0, 0], '1,200 payloads: 12 would change.'],
  [[2, 2, 1, 0], '2 payloads: 2 would change; 1 new error.'],
  [[9, 8, 3, 5], '9 payloads: 8 would change; 3 new errors, 5 errors gone.'],
] as const)('%j: %s', ([payloads, changed, failing, mended], words) =>
  expect(previewWords({ payloads, changed, failing, mended })).toBe(words),
);

test('the first error that there would be is found', () => {
  const counts = { payloads: 2, changed: 2, failing: 1, mended: 0 };
  const fine = { before: AT, after: { ...AT, a: 1 } };
  const worse = { before: AT, after: { ...AT, 'uplink.error': 'x (line 2)' } };
  expect(firstError({ ...counts, differences: [fine, worse] })).toBe('x (line 2)');
  expect(firstError({ ...counts, differences: [fine] })).toBeNull();
});

test.each([
  ['', ''],
  ['00', '00'],
  ['00d7ff', '00 d7 ff'],
])('%s is shown as %s', (hex, shown) => expect(spacedHex(hex)).toBe(shown));

describe('lines', () => {
  const apply = (text: string, edited: ReturnType<typeof outdented>) =>
    edited === null
      ? null
      : [text.slice(0, edited.from) + edited.text + text.slice(edited.to), ...edited.select];

  test('a caret is moved, and of a selection each line', () => {
    expect(apply('ab', indented('ab', 1, 1))).toEqual(['a  b', 3, 3]);
    expect(apply('a\nb\nc', indented('a\nb\nc', 0, 3))).toEqual(['  a\n  b\nc', 2, 7]);
  });

  test('two blanks or a tab are taken off', () => {
    expect(apply('  a\n\tb\nc', outdented('  a\n\tb\nc', 3, 6))).toEqual(['a\nb\nc', 1, 3]);
    expect(apply(' a', outdented(' a', 0, 0))).toEqual(['a', 0, 0]);
    expect(outdented('a\n  b', 1, 1)).toBeNull();
  });

  test.each([
    [1, [0, 1]],
    [2, [2, 4]],
    [3, [5, 5]],
    [9, [5, 5]],
  ] as const)('line %i lies at %j', (line, span) => expect(lineSpan('a\nbc\n', line)).toEqual(span));
});
