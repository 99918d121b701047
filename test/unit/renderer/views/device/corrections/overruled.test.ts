import { expect, test } from 'vitest';
import { overruled } from '../../../../../../renderer/views/device/corrections/overruled.ts';
import { correction } from '../../../chart/corrections/corrections-of.ts';

const points: [number, number][] = [[1, 2]];

test('of two calibrations of a key at one moment the newer one holds, and the older one says so', () => {
  const old = correction('calibration', { key: 'a', points });
  const other = correction('calibration', { key: 'b', points });
  const newer = correction('calibration', { key: 'a', points, from: 100 });
  expect([...overruled([old, other, newer])]).toEqual([[old.id, 'part']]);
  const whole = correction('calibration', { key: 'a', points });
  expect([...overruled([old, other, newer, whole])]).toEqual([
    [old.id, 'all'],
    [newer.id, 'all'],
  ]);
});

test('a mark of all keys takes that of one, which takes it only in part', () => {
  const one = correction('quality', { from: 0, to: 10, keys: ['a'], quality: 'fail' });
  const all = correction('quality', { from: 0, to: 10, keys: null, quality: 'suspect' });
  expect([...overruled([one, all])]).toEqual([[one.id, 'all']]);
  expect([...overruled([all, one])]).toEqual([[all.id, 'part']]);
});

test('other kinds, other keys and other times leave each other alone', () => {
  const list = [
    correction('quality', { from: 0, to: 10, keys: ['a'], quality: 'fail' }),
    correction('quality', { from: 11, to: 20, keys: ['a'], quality: 'fail' }),
    correction('quality', { from: 0, to: 10, keys: ['b'], quality: 'fail' }),
    correction('time', { from: 0, to: 10, shift_us: 1 }),
  ];
  expect([...overruled(list)]).toEqual([]);
});
