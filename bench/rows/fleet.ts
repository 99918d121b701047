import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { FillMessage, FleetOpened, OpenMessage, Steady, SteadyMessage } from '../children/fleet.ts';
import { rounds, sampleOf } from '../lib/measure.ts';
import { askOnce, startChild } from '../lib/process.ts';
import { digits } from '../lib/report.ts';
import { atMost, short, type Bench, type Figure, type Row } from '../lib/row.ts';

/** Records that each device has in the log when it is killed. */
const EACH = 100;
/** Records of each device before the steady time: from about so many on, some always have enough for files of their own. */
const BEFORE = 300;
const SECONDS = 120;
const SECONDS_OF_SMALL = 10;

export const fleet: Row = {
  name: 'fleet',
  title: 'Thousands of devices, a record a second each; and a start after they were killed',
  async run(bench): Promise<Figure[]> {
    return [...(await steadily(bench)), await killed(bench)];
  },
};

/** What the log's rounds, which make room while records come, cost those who store. */
async function steadily(bench: Bench): Promise<Figure[]> {
  const { devices } = bench;
  const message: SteadyMessage = {
    task: 'steady',
    directory: await bench.madeFolder(),
    devices,
    before: BEFORE,
    seconds: bench.isSmall ? SECONDS_OF_SMALL : SECONDS,
  };
  const { p99, median, diskP99, diskMedian, logSyncs, otherSyncs, stored } = await askOnce<Steady>(
    'fleet',
    message,
  );
  const name = `${short(devices)} devices, a record a second each`;
  bench.note(
    `${name}: ${digits(stored)} records a second were stored over ${message.seconds} s, half of them within ${digits(median)} ms; the log itself was synced ${digits(logSyncs)} times a second. Half of the bare writes took ${digits(diskMedian)} ms.`,
  );
  // A store that cannot keep up is not steady.
  const keptUp = stored >= devices * 0.95;
  return [
    {
      figure: `${name}: p99 of a stored record`,
      measured: sampleOf([p99]),
      unit: 'ms',
      must: atMost(keptUp ? p99 : Infinity, 20, '≤ 20 ms'),
      peer: { name: 'p99 of a bare fdatasync of 4 KiB', measured: sampleOf([diskP99]) },
    },
    {
      figure: `${name}: syncs besides the log's own`,
      measured: sampleOf([otherSyncs]),
      unit: '/s',
      must: atMost(otherSyncs, 500, '≤ 500/s'),
    },
  ];
}

/** The most that a start may have to read again: every record in an entry of its own, none moved or packed yet. */
async function killed(bench: Bench): Promise<Figure> {
  const { devices } = bench;
  const left = join(await bench.madeFolder(), 'left');
  const child = startChild('fleet');
  const filling: FillMessage = { task: 'fill', directory: left, devices, each: EACH };
  await child.ask(filling);
  await child.kill();
  const took: number[] = [];
  const cpu = await rounds(3, async (round) => {
    const directory = join(await bench.madeFolder(), 'copy');
    await cp(left, directory, { recursive: true });
    const opening: OpenMessage = { task: 'open', directory, devices, each: EACH };
    const opened = startChild('fleet');
    const { cpuSeconds, took: ms } = await opened.ask<FleetOpened>(opening);
    await opened.kill();
    if (round >= 0) took.push(ms);
    return cpuSeconds;
  });
  const records = short(devices * EACH);
  bench.note(
    `Opened after kill -9, ${records} records of ${short(devices)} devices in the log: ${digits(sampleOf(took).median)} ms on the clock.`,
  );
  return {
    figure: `open after kill -9, ${records} records of ${short(devices)} devices in the log, processor time`,
    measured: cpu,
    unit: 's',
    must: atMost(cpu.median, 2, '≤ 2 s'),
  };
}
