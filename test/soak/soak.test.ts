import { expect, test } from 'vitest';
import { withSeed } from '../helpers/chance.ts';
import type { Held } from './service.ts';
import { GIVEN } from '../helpers/postgres/given-postgres.ts';
import { hasPostgres } from '../helpers/postgres/postgres.ts';
import { soakGrowth } from './growth.ts';
import { soakLab } from './lab-soak.ts';
import { labVerdictOf, type LabSample } from './lab-verdict.ts';
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

test.skipIf(!hasPostgres)(
  'devices at three services find what they stored, and leave no tail',
  { timeout: 180_000 },
  async () => {
    const samples = await soakLab({ minutes: 0.1, devices: 10, rate: 200, leftovers: 1000, say: () => {} });
    expect(Math.max(...samples.map(({ longestTail }) => longestTail))).toBeLessThanOrEqual(1024);
  },
);

test.skipIf(!hasPostgres || GIVEN !== null || process.platform !== 'linux')(
  'devices at two services over a pair of databases find what they stored, after a kill of one of each',
  { timeout: 300_000 },
  async () => {
    await withSeed(async (seed) => {
      const little = { minutes: 0.1, devices: 40, rate: 100, each: 2 };
      const { faults, figures } = await soakGrowth({ ...little, seed, say: () => {} });
      expect(faults).toEqual([]);
      expect(figures.join('\n')).toMatch(/processor time of the primary: \d+\.\d s/);
    });
  },
);

test('tails, tables and answers that grow are faults of a lab', () => {
  const flat: LabSample = { bytes: { tail: 50e6, outcome: 1e6 }, longestTail: 600, oldNotes: 0, p99Ms: 20 };
  const grown = (more: Partial<LabSample>) => [
    ...Array.from({ length: 30 }, () => flat),
    ...Array.from({ length: 10 }, () => ({ ...flat, ...more })),
  ];
  expect(labVerdictOf(grown({ bytes: { tail: 52e6, outcome: 900e6 } })).faults).toEqual([]);
  expect(labVerdictOf(grown({ bytes: { tail: 80e6, outcome: 1e6 } })).faults).toEqual([
    'tail grew from 50.0 to 80.0 MB',
  ]);
  expect(labVerdictOf(grown({ longestTail: 2332 })).faults).toHaveLength(1);
  expect(labVerdictOf(grown({ oldNotes: 5 })).faults).toHaveLength(1);
  expect(labVerdictOf(grown({ p99Ms: 90 })).faults).toEqual(['p99 went from 20 to 90 ms']);
});
