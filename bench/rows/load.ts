import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { sensorSource, uniform } from '../lib/data.ts';
import type { Footprint } from '../children/footprint.ts';
import { rounds, sampleOf, type Sample } from '../lib/measure.ts';
import { askOnce } from '../lib/process.ts';
import { atMost, short, type Figure, type Row } from '../lib/row.ts';

const SECONDS = 8;
const RECORDS_A_SECOND = 100_000;
const PAGES_A_SECOND = 500;
const DEVICES = 100;
const TICK_MS = 10;

const NODE_FLAGS = ['--expose-gc'];

export const load: Row = {
  name: 'load',
  title: 'Memory, and the event loop under load',
  async run(bench): Promise<Figure[]> {
    const { data, device } = await bench.filled(bench.records);
    const empty = await bench.madeFolder();
    const rss = async (directory: string, of: string | null) =>
      askOnce<Footprint>('footprint', { directory, device: of }, NODE_FLAGS);
    const used = { with: [] as number[], without: [] as number[] };
    const without = await rounds(3, async () => {
      const empties = await rss(empty, null);
      used.without.push(empties.used / 1e6);
      return empties.opened / 1e6;
    });
    const withRecords = await rounds(3, async () => {
      const filled = await rss(data, device);
      used.with.push(filled.used / 1e6);
      return filled.opened / 1e6;
    });
    const more = above(withRecords, without);

    const cpu: number[] = [];
    const delays = await rounds(3, async () => {
      const store = await bench.openStore(await bench.folder());
      const random = uniform(13);
      const sources = Array.from({ length: DEVICES }, (_, n) => sensorSource(n));
      const perTick = (RECORDS_A_SECOND * TICK_MS) / 1000 / DEVICES;
      // Made beforehand: what makes records is not what is measured.
      const ticks = Array.from({ length: (SECONDS * 1000) / TICK_MS }, () =>
        sources.map((next) => next(perTick)),
      );
      const histogram = monitorEventLoopDelay({ resolution: 1 });
      const before = process.cpuUsage();
      histogram.enable();
      const began = performance.now();
      const pending: Promise<unknown>[] = [];
      for (const [tick, batches] of ticks.entries()) {
        const due = began + tick * TICK_MS - performance.now();
        if (due > 0) await delay(due);
        for (const [n, batch] of batches.entries()) pending.push(store.append(`device-${n}`, batch));
        for (let n = 0; n < (PAGES_A_SECOND * TICK_MS) / 1000; n++)
          pending.push(store.page(`device-${Math.floor(random() * DEVICES)}`, { offset: tick, limit: 100 }));
      }
      await Promise.all(pending);
      histogram.disable();
      const took = performance.now() - began;
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / 10 / took);
      await store.close();
      // The histogram counts its own resolution in.
      return histogram.percentile(99) / 1e6 - 1;
    });
    const processor = sampleOf(cpu);
    const usedWithout = sampleOf(used.without);
    return [
      {
        figure: `memory with ${short(bench.records)} open, above an empty store's`,
        measured: more,
        unit: 'MB',
        must: atMost(more.median, 25, '≤ 25 MB'),
        peer: { name: 'an empty one, in all', measured: without },
      },
      {
        figure: 'the same after 3,000 more pages and ten charts of everything',
        measured: above(sampleOf(used.with), usedWithout),
        unit: 'MB',
        peer: { name: 'an empty one, in all', measured: usedWithout },
      },
      {
        figure: `event-loop delay p99, ${short(RECORDS_A_SECOND)} records/s in, ${PAGES_A_SECOND} pages/s out`,
        measured: delays,
        unit: 'ms',
        must: atMost(delays.median, 10, '≤ 10 ms'),
      },
      { figure: 'processor time under that load', measured: processor, unit: '% of a core' },
    ];
  },
};

/** How much more one sample is than another. */
function above(more: Sample, than: Sample): Sample {
  return { median: more.median - than.median, min: more.min - than.max, max: more.max - than.min };
}
