import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { expectQuick } from '../../fuzz/doors/turns.ts';
import { longestTurn } from '../../helpers/service/longest-turn.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { createWorld, type World } from '../world.ts';

/* docs/local-api.md, "Statistics" and "States": what the records of a span come to. */

let service: RunningService;
let world: World;
beforeAll(async () => {
  service = await runService({ workerScript: WORKER_SCRIPT });
  world = await createWorld(service);
});
afterAll(() => service.stop());

const local = () => `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;

async function ask(what: string): Promise<Envelope> {
  return (await service.request('GET', `${local()}/${what}`)).envelope;
}

const statistics = async (query: string) => (await ask(`statistics?${query}`)).data as Statistics;
const states = async (query: string) => (await ask(`states?${query}`)).data as States;

type Statistics = readonly Record<string, unknown>[];

describe('statistics', () => {
  test('are of each key with numbers, and empty for one that the device does not have', async () => {
    expect(await statistics('')).toEqual([
      {
        key: 'temperature',
        count: 3,
        texts: 0,
        min: 20.5,
        max: 22.25,
        mean: 21.25,
        sd: Math.sqrt((0.75 ** 2 + 0.25 ** 2 + 1) / 2),
        p5: 20.5,
        p95: 22.25,
        percentiles: 'exact',
        percentile_error: 0,
        first: 20.5,
        last: 22.25,
        first_time: '2026-03-02T20:30:21.202946Z',
        last_time: '2026-03-02T20:32:21.202946Z',
        gaps: 0,
        longest_gap_us: 60e6,
        rate_per_s: 2 / 120,
        below: null,
        above: null,
      },
    ]);
    const data = await statistics('keys=nothing,state,temperature&start=2026-03-02T20:31:00Z');
    expect(data).toMatchObject([
      {
        key: 'nothing',
        count: 0,
        texts: 0,
        min: null,
        sd: null,
        p95: null,
        last_time: null,
        rate_per_s: null,
      },
      { key: 'state', count: 0, texts: 1, mean: null, longest_gap_us: null },
      { key: 'temperature', count: 2, first: 21, longest_gap_us: 60e6 },
    ]);
  });

  test('count as gaps what a chart breaks its lines at', async () => {
    const start = Date.UTC(2026, 3, 1);
    // Every second, with a silence of 10 s, which is none yet, and one of 11 s.
    const seconds = Array.from({ length: 40 }, (_, i) => i + (i > 10 ? 9 : 0) + (i > 30 ? 10 : 0));
    const body = seconds.map((second) => ({ timestamp: start + second * 1000, pulse: second }));
    await service.request('POST', '/integrations/http', { key: world.device_token, body });
    const data = await statistics('keys=pulse');
    expect(data).toMatchObject([{ gaps: 1, longest_gap_us: 11e6, rate_per_s: 39 / 58 }]);
  });

  test('count as gaps what is longer than the settings of the key say', async () => {
    for (const [longest_gap_s, gaps] of [
      [59, 2],
      [60, 0],
      [null, 0],
    ] as const) {
      const body = { key: 'temperature', longest_gap_s };
      await service.request('PATCH', `${local()}/key-settings`, { body });
      expect(await statistics('keys=temperature')).toMatchObject([{ gaps, longest_gap_us: 60e6 }]);
    }
  });

  test('count what lies outside the normal range of the key', async () => {
    for (const [low, high, below, above] of [
      [21, 22, 1, 1],
      [null, 22.25, null, 0],
      [22, null, 2, null],
      [null, null, null, null],
    ] as const) {
      await service.request('PATCH', `${local()}/key-settings`, { body: { key: 'temperature', low, high } });
      expect(await statistics('keys=temperature')).toMatchObject([{ count: 3, below, above }]);
    }
  });

  test('a span that ends before it starts is refused', async () => {
    const answer = await ask('statistics?start=2026-01-02T00:00:00Z&end=2026-01-01T00:00:00Z');
    expect(answer).toMatchObject({
      status: 400,
      message: expect.stringContaining('start must not be after end'),
    });
  });

  test('of many records say how exact their percentiles are, and nobody waits for them', async () => {
    const count = 200_000;
    const body = Array.from({ length: count }, (_, i) => ({ timestamp: i * 1000, wave: (i * 7919) % count }));
    for (let from = 0; from < count; from += 50_000)
      await service.request('POST', '/integrations/http', {
        key: world.device_token,
        body: body.slice(from, from + 50_000),
      });
    const question = () => statistics('keys=wave&end=2000-01-01T00:00:00Z');
    const [wave] = await question();
    expect(wave).toMatchObject({
      count,
      min: 0,
      max: count - 1,
      mean: expect.closeTo((count - 1) / 2, 6),
      percentiles: 'approximate',
    });
    const error = Number(wave!['percentile_error']);
    expect(error).toBeGreaterThan(0);
    expect(error).toBeLessThan(0.001);
    for (const [name, part] of [
      ['p5', 0.05],
      ['p95', 0.95],
    ] as const)
      expect(Math.abs(Number(wave![name]) - part * count)).toBeLessThanOrEqual(error * count + 1);
    await expectQuick(() => longestTurn(question()));
  });

  test('are given up when the window that asked for them moves on', async () => {
    const { project_id, device_id } = world;
    const moved = new AbortController();
    const asked = service.bridge.call('statistics.get', { project_id, device_id }, { signal: moved.signal });
    moved.abort(new Error('The window moved.'));
    await expect(asked).rejects.toThrow('The window moved.');
    expect((await ask('statistics?keys=temperature')).status).toBe(200);
  });
});

interface States {
  readonly keys: readonly { readonly key: string; readonly runs: readonly unknown[] }[];
}

describe('states', () => {
  const span = 'start=2026-03-02T20:30:00Z&end=2026-03-02T20:40:00Z';

  test('are runs of equal texts and booleans', async () => {
    const data = await states(`width=100&${span}`);
    expect(data).toEqual({
      start: '2026-03-02T20:30:00.000000Z',
      end: '2026-03-02T20:40:00.000000Z',
      width: 100,
      keys: [
        {
          key: 'state',
          words: 2,
          last_time: '2026-03-02T20:31:21.202946Z',
          runs: [
            {
              from: '2026-03-02T20:30:21.202946Z',
              to: '2026-03-02T20:31:21.202946Z',
              value: 'idle',
              changes: 0,
              from_known: true,
              to_known: true,
            },
            {
              from: '2026-03-02T20:31:21.202946Z',
              to: '2026-03-02T20:40:00.000000Z',
              value: 'on',
              changes: 0,
              from_known: true,
              to_known: false,
            },
          ],
        },
      ],
    });
  });

  test('that share a column of pixels are told by how often they change', async () => {
    const data = await states(`width=1&keys=state&${span}`);
    expect(data.keys[0]?.runs).toMatchObject([{ value: null, changes: 1 }]);
  });

  test('of a key that the device does not have are none', async () => {
    const data = await states('width=10&keys=none');
    expect(data.keys).toEqual([{ key: 'none', words: 0, last_time: null, runs: [] }]);
  });

  test('of too many keys and columns are refused, and so is a width that is none', async () => {
    const body = Array.from({ length: 8 }, (_, i) => ({
      timestamp: i,
      ...Object.fromEntries(Array.from({ length: 8 }, (_each, k) => [`door ${k}`, i % 2 === 0])),
    }));
    await service.request('POST', '/integrations/http', { key: world.device_token, body });
    const keys = Array.from({ length: 8 }, (_, k) => `door ${k}`).join(',');
    expect((await ask(`states?width=8192&keys=${keys}`)).status).toBe(200);
    expect(await ask(`states?width=8193&keys=${keys}`)).toMatchObject({
      status: 400,
      message: expect.stringContaining('keys times width must be at most 65536'),
    });
    expect(await ask('states?width=0')).toMatchObject({
      status: 400,
      message: expect.stringContaining('width must be a whole number from 1 to 10000'),
    });
  });
});
