import { expect, test } from 'vitest';
import { expectedStrips } from '../../../../../renderer/chart/states/texts-of.ts';

test('texts are states, but not how a payload came', () => {
  const texts = ['door', 'uplink.bytes', 'uplink.error', 'uplink.warning', 'uplink.other'];
  const keys = [
    ...texts.map((key) => ({ key, count: 3, numeric: 0 })),
    { key: 'temperature', count: 3, numeric: 3 },
  ];
  expect(expectedStrips({ keys })).toBe(2);
});
