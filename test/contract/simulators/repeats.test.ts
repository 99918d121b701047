import { expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { at, FROZEN, simulated, type Place, type Simulated } from './simulated.ts';

/* docs/rigs.md, "Simulators": the same seed stores the same bytes. */

const KEYS = {
  wave: { shape: 'sine', mean: 20, amplitude: 5, period_s: 600, noise: 1 },
  stroll: { shape: 'walk', start: 5, step: 1, min: 0, max: 10 },
  mode: { shape: 'states', states: ['idle', true, 3], stay_s: 20 },
} as const;
const TROUBLE = { gaps: 0.1, late: 0.1, duplicates: 0.1, wrong_clock: 0.05, stuck: 0.1, spikes: 0.1 };

async function exported({ service }: Simulated, { project_id, device_id }: Place): Promise<string> {
  const path = `/_local/v1/projects/${project_id}/devices/${device_id}/records?format=ndjson`;
  const { status, text } = await service.request('GET', path);
  expect(status).toBe(200);
  expect(text.length).toBeGreaterThan(1000);
  return text;
}

async function storyOf(
  seed: number | undefined,
  serviceSeed: number | null,
  moves: readonly number[] = [1, 599_999, 60_000],
): Promise<string> {
  const rig = await simulated(FROZEN, { seed: serviceSeed });
  try {
    const place = await rig.device();
    const of = { project_id: place.project_id, device_id: place.device_id };
    const body = { ...of, every_ms: 10_000, keys: KEYS, jitter_ms: 2000, trouble: TROUBLE };
    const given = { ...body, start: at(-1000), ...(seed !== undefined && { seed }) };
    await rig.start(given);
    for (const ms of moves) await rig.advance(ms);
    return await exported(rig, of);
  } finally {
    await rig.service.stop();
  }
}

test('a seed of its own, on another device of another service', () =>
  withSeed(async (seed) => {
    const first = await storyOf(seed, null);
    expect(await storyOf(seed, null)).toBe(first);
    expect(await storyOf(seed + 1, null)).not.toBe(first);
  }));

// A lab has no seed.
test.runIf(inFolder)('without one, that of the service', () =>
  withSeed(async (seed) => {
    const first = await storyOf(undefined, seed);
    expect(await storyOf(undefined, seed)).toBe(first);
    expect(await storyOf(undefined, seed + 1)).not.toBe(first);
  }),
);

test('however the clock is moved', async () => {
  const inSteps = Array.from({ length: 132 }, () => 5000);
  expect(await storyOf(3, null, inSteps)).toBe(await storyOf(3, null, [660_000]));
});
