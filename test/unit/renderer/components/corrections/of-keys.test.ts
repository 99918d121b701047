import { expect, test } from 'vitest';
import { ofKey, touching } from '../../../../../renderer/components/corrections/of-keys.ts';
import { correction } from '../../chart/corrections/corrections-of.ts';

const list = [
  correction('calibration', { key: 't', points: [[0, 1]] }),
  correction('quality', { keys: ['t', 'p'], quality: 'fail' }),
  correction('derived', { key: 'd', of: 't + 1' }),
];

test('a key is marked by the corrections that speak of it, and by no others', () => {
  expect(ofKey(list, 't').map(({ kind }) => kind)).toEqual(['calibration', 'quality']);
  expect(ofKey(list, 'door')).toEqual([]);
  expect(touching(list, ['door'])).toEqual([]);
  expect(touching(list, ['p', 'd']).map(({ kind }) => kind)).toEqual(['quality', 'derived']);
});

test('one of times is of all keys, as one of values without keys is', () => {
  const clock = correction('time', { shift_us: 1 });
  const all = correction('quality', { keys: null, quality: 'test' });
  expect(touching([...list, clock, all], ['door'])).toEqual([clock, all]);
});
