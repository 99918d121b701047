import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  back,
  forward,
  NO_HISTORY,
  visited,
  type History,
} from '../../../../../renderer/chart/time/history.ts';

test('steps back lead through what was seen, and forward again, as in a browser', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('visit' as const), view: fc.nat(1000) }),
    fc.record({ kind: fc.constantFrom('back' as const, 'forward' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let [history, now]: [History<number>, number] = [NO_HISTORY, -1];
      // The model: all views in a row, and the place in it.
      const row = [-1];
      let at = 0;
      for (const taken of steps) {
        if (taken.kind === 'visit') {
          history = visited(history, now);
          now = taken.view;
          row.splice(at + 1, Infinity, taken.view);
          at++;
        } else {
          const next = taken.kind === 'back' ? back(history, now) : forward(history, now);
          const to = taken.kind === 'back' ? at - 1 : at + 1;
          expect(next === null).toBe(row[to] === undefined);
          if (!next) continue;
          [history, now] = [next.history, next.view];
          at = to;
        }
        expect(now).toBe(row[at]);
      }
    }),
  );
});

test('a hundred steps are kept', () => {
  let history: History<number> = NO_HISTORY;
  for (let view = 0; view < 1000; view++) history = visited(history, view);
  expect(history.past).toHaveLength(100);
  expect(history.past.at(-1)).toBe(999);
});
