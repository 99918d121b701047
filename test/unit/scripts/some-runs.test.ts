import { expect, test } from 'vitest';
import { runsAll, seenAlong, somePlaces } from '../../helpers/some-runs.ts';

const COUNT = 70;

test('what holds for one place alone between two others is seen, wherever it is', async () => {
  for (let at = 1; at < COUNT - 1; at++)
    for (const seed of [0, 7, 31]) {
      const looked: number[] = [];
      const seen = await seenAlong(COUNT, seed, async (place) => {
        looked.push(place);
        return place < at ? 'nothing' : place === at ? 'half' : 'all';
      });
      expect(seen, `place ${at}, seed ${seed}`).toEqual(new Set(['nothing', 'half', 'all']));
      expect(new Set(looked).size).toBe(looked.length);
      if (!runsAll) expect(looked.length).toBeLessThan(COUNT / 4);
    }
});

test('each place has its turn, and both ends and those that are named always', () => {
  const places = (seed: number) => somePlaces(5, 5 + COUNT, { seed, named: [9] });
  for (let seed = 0; seed < 40; seed++)
    expect(places(seed)).toEqual(expect.arrayContaining([5, 9, 5 + COUNT]));
  const all = new Set(Array.from({ length: 40 }, (_, seed) => places(seed)).flat());
  expect(all.size).toBe(COUNT + 1);
});
