import { expect, test } from 'vitest';
import { withSeed } from '../helpers/chance.ts';
import type { Held } from './service.ts';
import { soak } from './run.ts';
import { verdictOf } from './verdict.ts';

/* A little of it; how memory goes takes minutes: npm run soak -- --minutes N */

const held: Held = {
  heap: 50e6,
  rss: 200e6,
  descriptors: 60,
  resources: 30,
  stalls: [],
  longestMs: 20,
  peakRss: 250e6,
  errors: [],
};

test('people at work find what they stored, also after a kill and a stop', { timeout: 180_000 }, async () => {
  await withSeed(async (seed) => {
    const little = { minutes: 0.1, devices: 40, factor: 600 };
    const { acts, stored, samples } = await soak({ ...little, seed, say: () => {} });
    expect(stored).toBeGreaterThan(acts);
    expect(samples.flatMap(({ errors }) => errors)).toEqual([]);
  });
});

test('memory that grows, handles that stay open and turns that take long are faults', () => {
  const flat = Array.from({ length: 60 }, () => held);
  const grown = (more: Partial<Held>) => [
    ...flat.slice(0, 40),
    ...flat.slice(40).map(() => ({ ...held, ...more })),
  ];
  expect(verdictOf(flat).faults).toEqual([]);
  expect(verdictOf(grown({ heap: 54e6 })).faults).toEqual(['heap grew by +8.0 %']);
  expect(verdictOf(grown({ rss: 240e6 })).faults).toEqual(['rss grew by +20.0 %']);
  expect(verdictOf(grown({ descriptors: 160 })).faults).toEqual(['descriptors grew from 60 to 160']);
  expect(verdictOf(grown({ stalls: [{ ms: 400, busyMs: 390 }] })).faults).toHaveLength(1);
});

test('a turn in which the machine was elsewhere is told and is no fault', () => {
  const stalled = Array.from({ length: 60 }, () => ({ ...held, stalls: [{ ms: 400, busyMs: 5 }] }));
  const { faults, figures } = verdictOf(stalled);
  expect(faults).toEqual([]);
  expect(figures.join('\n')).toContain('over 250 ms: 60, at work: 0');
});
