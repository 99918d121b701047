import { expect, test } from 'vitest';
import { Refusals } from '#core/mqtt/refusals.ts';

test('the log hears of each device once in ten seconds, and of how many it has not heard; all are counted', () => {
  const lines: string[] = [];
  let now = 0;
  const refusals = new Refusals({ warn: (line) => void lines.push(line) }, 'was not stored', () => now);
  for (let i = 0; i < 100; i++) refusals.add('pump', 'record 1: no key');
  refusals.add('valve', 'too deep');
  now = 10_001;
  refusals.add('pump', 'record 2: no key');
  refusals.add('valve', 'too deep');
  expect(refusals.count).toBe(103);
  expect(lines).toEqual([
    'A message of device pump over MQTT was not stored: record 1: no key',
    'A message of device valve over MQTT was not stored: too deep',
    'A message of device pump over MQTT was not stored (99 more since the last such line): record 2: no key',
    'A message of device valve over MQTT was not stored: too deep',
  ]);
});
