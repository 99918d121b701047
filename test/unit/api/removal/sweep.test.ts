import { expect, test } from 'vitest';
import { tooMany } from '#core/api/removal/sweep.ts';
import type { KeptDelete } from '#core/store/metadata/metadata-schema.ts';

/* What of all that was deleted is more than can be kept. */

let created = 0;
const kept = (project_id: string, device_id?: string, kind: KeptDelete['kind'] = 'range') =>
  ({ id: `${created}`, project_id, kind, created: created++, ...(device_id && { device_id }) }) as KeptDelete;
const many = (count: number, ...of: Parameters<typeof kept>) =>
  Array.from({ length: count }, () => kept(...of));

const LIMITS = { mostOfDevice: 5, most: 20 };

test('who deletes very much takes nothing of other projects away', () => {
  const others = [kept('quiet', 'pump'), kept('quiet'), ...many(6, 'small', 'valve', 'device')];
  const greedy = Array.from({ length: 10 }, (_, n) => many(4, 'greedy', `device ${n}`)).flat();
  expect(tooMany([...others, ...greedy], LIMITS)).toEqual(greedy.slice(0, 40 - (20 - others.length)));
});

test('projects that have too much each have as much', () => {
  const [a, b] = [many(15, 'a', 'one', 'device'), many(30, 'b', 'two', 'device')];
  const few = many(3, 'c');
  const gone = new Set(tooMany([...a, ...b, ...few], LIMITS));
  expect([...a, ...b, ...few].filter((one) => !gone.has(one))).toEqual([
    ...a.slice(-8),
    ...b.slice(-8),
    ...few,
  ]);
});

test('of one device the latest purges and range deletes stay, however few there are of all', () => {
  const ranges = many(8, 'a', 'one');
  const gone = tooMany([...ranges, ...many(3, 'a', 'one', 'device')], LIMITS);
  expect(gone.toSorted((one, other) => one.created - other.created)).toEqual(ranges.slice(0, 3));
});

test('what is no more than may be kept stays', () => {
  expect(tooMany(many(20, 'a'), LIMITS)).toEqual([]);
});
