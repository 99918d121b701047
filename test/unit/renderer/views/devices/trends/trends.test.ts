import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FoundTrend } from '#shared/operations/records/series.ts';
import {
  subjectName,
  useTrends,
  wantLevels,
} from '../../../../../../renderer/views/devices/trends/trends.ts';

const service = vi.hoisted(() => ({
  answers: [] as ((found: readonly FoundTrend[]) => void)[],
  heard: new Set<(event: { readonly device_id: string }) => void>(),
}));
vi.mock('../../../../../../renderer/bridge/bridge.ts', () => ({
  bridge: {
    subscribe(_event: string, heard: (event: { readonly device_id: string }) => void) {
      service.heard.add(heard);
      return () => service.heard.delete(heard);
    },
  },
}));
vi.mock('../../../../../../renderer/bridge/ask.ts', () => ({
  ask: () =>
    new Promise<readonly FoundTrend[]>((resolve) => {
      service.answers.push(resolve);
    }),
}));

const SUBJECT = { project_id: 'p', key: 'air' };
const DEVICE = { id: 'd', records: 100, newest: '2026-01-05T08:00:00.000000Z' };
const found = (level: number): FoundTrend => ({
  device_id: 'd',
  end: DEVICE.newest,
  count: DEVICE.records,
  min: 0,
  max: 30,
  level,
  hours: null,
  columns: null,
});
const level = () => useTrends.getState().levels.get(subjectName(SUBJECT))?.all?.get('d')?.level;

async function answer(value: number): Promise<void> {
  await expect.poll(() => service.answers.length).toBe(1);
  service.answers.pop()?.([found(value)]);
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('a level that was under way while the corrections of its device changed is read again', async () => {
  wantLevels(SUBJECT, [DEVICE]);
  await expect.poll(() => service.answers.length).toBe(1);
  for (const heard of service.heard) heard({ device_id: 'd' });
  await answer(20);
  expect(level()).toBe(20);
  await vi.advanceTimersByTimeAsync(60_000);
  wantLevels(SUBJECT, [DEVICE]);
  await answer(4);
  expect(level()).toBe(4);
});
