import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { merged, MOST_SHOWN, upToMost } from '../../../../../renderer/stores/requests/merge.ts';
import { seenRequest } from '../../../../helpers/seen-request.ts';

/* What a window knows of the last requests, reading after reading. */

test('a window that reads what changed knows what the service has, whenever it reads', () => {
  // "new": another request; a number: one more like that of so many before.
  const event = fc.oneof(fc.constant('new' as const), fc.nat(5), fc.constant('read' as const));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const service: SeenRequest[] = [];
      let changes = 0;
      let known: readonly SeenRequest[] = [];
      let change = 0;
      const read = () => {
        const found = service.filter((request) => request.change > change).toReversed();
        known = merged(known, found);
        change = Math.max(change, ...found.map((request) => request.change));
      };
      for (const each of events) {
        if (each === 'read') read();
        else if (each === 'new') service.push(seenRequest({ id: service.length + 1, change: ++changes }));
        else {
          const at = service.length - 1 - each;
          const like = service[at];
          if (like) service[at] = { ...like, more: like.more + 1, change: ++changes };
        }
      }
      read();
      expect(known).toEqual(service.toReversed());
    }),
  );
});

const upTo = (id: number) => Array.from({ length: id }, (_, at) => seenRequest({ id: id - at }));

test('a list that follows has the newest 4,000; one that stands still keeps what it shows behind as many new ones', () => {
  expect(upToMost(upTo(20), null)).toHaveLength(20);
  expect(upToMost(upTo(MOST_SHOWN + 9), null).map(({ id }) => id)).toEqual(
    upTo(MOST_SHOWN + 9)
      .slice(0, MOST_SHOWN)
      .map(({ id }) => id),
  );
  const held = upToMost(upTo(2 * MOST_SHOWN + 50), 30).map(({ id }) => id);
  expect(held).toHaveLength(MOST_SHOWN + 30);
  expect(held.slice(MOST_SHOWN)).toEqual(upTo(30).map(({ id }) => id));
  expect(held[0]).toBe(2 * MOST_SHOWN + 50);
});
