import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRemovals } from '#core/api/exports/removals.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import { systemRandom } from '#core/base/system-random.ts';

const open = () => {
  const events = createEventBus();
  const removed = (device_id: string) =>
    events.publish('records.removed', { account_id: 'a', project_id: 'p', device_id });
  return { events, removed, removals: createRemovals(events, systemRandom) };
};

test('the number of a device does not tell of the removals of others', () => {
  const { removed, removals } = open();
  const numbers = ['d', 'other', 'other', 'd'].map((device) => {
    removed(device);
    return removals.numberOf('d');
  });
  expect(numbers).toEqual([1, 1, 1, 2]);
  expect(removals.numberOf('new')).toBe(0);
});

test('a device has none of its earlier numbers behind a removal, also where more are removed than are remembered', () => {
  const many = fc.constant('many');
  const step = fc.oneof(fc.constantFrom('a', 'b', 'c', 'missed'), many);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const { events, removed, removals } = open();
      const seen = new Map(['a', 'b', 'c'].map((device) => [device, new Set([removals.numberOf(device)])]));
      let made = 0;
      for (const is of steps) {
        if (is === 'missed') events.missed();
        else if (is === 'many') for (let n = 0; n < 10_000; n++) removed(`${made++}`);
        else removed(is);
        for (const [device, numbers] of seen) {
          const number = removals.numberOf(device);
          if (is === device || is === 'missed') expect(numbers).not.toContain(number);
          numbers.add(number);
        }
      }
    }),
    { numRuns: 10 },
  );
});
