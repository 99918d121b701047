import * as fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { deviceChart } from '../../../../../renderer/chart/load/data.ts';
import { arrive, device, empty, summary } from './arriving-device.ts';
import { tell } from './events.ts';

vi.mock('../../../../../renderer/bridge/bridge.ts', () => import('./arriving-device.ts'));

const SECOND = 1e6;
const SPAN = 1000 * SECOND;
/** ms in which a chart has caught up, also behind late records. */
const CAUGHT_UP = 5_000;
/** ms after which records of a clock that is ahead are within a range, too. */
const ALL_DUE = 60_000;
const query = { project_id: 'p', device_id: 'd', keys: ['value'], far: true, view: 'corrected' } as const;
const ofRange = { ...query, span: SPAN };

const values = () => {
  const { picture } = deviceChart.useData.getState();
  return picture?.kind === 'records' ? [...(picture.view.columns[0] ?? [])] : [];
};
const inOrder = () => device.arrived.toSorted((a, b) => a.time - b.time).map(({ value }) => value);

beforeEach(() => {
  vi.useFakeTimers({ now: 2_000_000 });
  deviceChart.leave();
  empty();
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 0));
});

test.each([
  ['everything', query],
  ['a range', ofRange],
])(
  'of %s records that come between a summary and what is read behind it are no late ones',
  async (_, asked) => {
    arrive([1990 * SECOND, 1]);
    deviceChart.load(asked, summary());
    await vi.advanceTimersByTimeAsync(CAUGHT_UP);
    const requests = device.requests;
    for (let n = 2; n < 12; n++) {
      arrive([(1990 + n / 10) * SECOND, n]);
      const lagging = summary();
      arrive([(1990 + n / 10) * SECOND + 1, n + 100]);
      // Every other summary is as new as what is read.
      deviceChart.follow(n % 2 === 0 ? lagging : summary());
      await vi.advanceTimersByTimeAsync(250);
      expect(values().at(-1)).toBe(n + 100);
    }
    // One for each summary: nothing was read anew.
    expect(device.requests).toBe(requests + 10);
    expect(values()).toEqual(inOrder());
  },
);

/** One thing that happens to the device, or that the chart hears. */
type Step = 'next' | 'late' | 'ahead' | 'remove' | 'correct' | 'ask' | 'hear' | 'follow' | 'wait' | 'rest';
const STEPS: readonly Step[] = [
  'next',
  'next',
  'late',
  'ahead',
  'remove',
  'correct',
  'ask',
  'hear',
  'follow',
  'wait',
  'rest',
];

test('whatever comes, late or in order, is removed, corrected, and told of behind the time, the chart shows the same records in the end', async () => {
  const steps = fc.array(fc.constantFrom(...STEPS), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(query, ofRange), steps, async (asked, all) => {
      deviceChart.leave();
      empty();
      vi.setSystemTime(2_000_000);
      let count = 0;
      let heard: DeviceSummary[] = [];
      const next = () => arrive([(1500 + ++count) * SECOND, count]);
      const does: Record<Step, () => unknown> = {
        next,
        late: () => arrive([(1500 + Math.max(0, ++count - 7)) * SECOND - 5, count]),
        ahead: () => arrive([(2000.5 + ++count) * SECOND, count]),
        remove() {
          device.arrived = device.arrived.slice(1);
          tell('records.removed');
        },
        correct() {
          device.arrived = device.arrived.map(({ time, value }) => ({ time, value: value + 0.5 }));
          tell('corrections.changed');
        },
        ask: () => heard.push(summary()),
        hear() {
          for (const one of heard) deviceChart.follow(one);
          heard = [];
        },
        follow: () => deviceChart.follow(summary()),
        wait: () => vi.advanceTimersByTimeAsync(30),
        rest: () => vi.advanceTimersByTimeAsync(1_200),
      };
      next();
      deviceChart.load(asked, summary());
      for (const step of all) await does[step]();
      deviceChart.follow(summary());
      await vi.advanceTimersByTimeAsync(ALL_DUE);
      expect(values()).toEqual(inOrder());
    }),
    { numRuns: 1000 },
  );
});
