import { expect, test } from 'vitest';
import { touchedKeys } from '#core/store/store.ts';
import type { Correction } from '#shared/domain/corrections.ts';

const KEYS = ['a', 'b'];
const SPAN = { from: 0, to: 10 };
const CALIBRATION: Correction = { kind: 'calibration', key: 'a', points: [[0, 1]] };
const DERIVED: Correction = { kind: 'derived', key: 'sum', of: 'a + b', within_s: 0 };
const SHIFT: Correction = { kind: 'time', ...SPAN, by: { shift: 5 } };
const REPLACED: Correction = { kind: 'replaced', device_id: 'before', until: 5 };
const flag = (quality: 'fail' | 'test' | 'suspect' | 'pass', keys: readonly string[] | null): Correction => ({
  kind: 'quality',
  ...SPAN,
  quality,
  keys,
});

test.each<[readonly Correction[], readonly string[] | null]>([
  [[], []],
  [[CALIBRATION], ['a']],
  [
    [CALIBRATION, DERIVED],
    ['a', 'sum'],
  ],
  [[flag('fail', ['b'])], ['b']],
  [[flag('test', null)], ['a', 'b']],
  [[flag('suspect', null), flag('pass', ['a'])], []],
  [[CALIBRATION, SHIFT], null],
  [[REPLACED], null],
])('%j touches %j', (corrections, touched) => {
  const found = touchedKeys({ corrections, formers: [] }, KEYS);
  expect(found === null ? null : [...found].toSorted()).toEqual(touched);
});
