import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openLog } from '../../electron/core/store/log/log.ts';
import type { RecordStore } from '../../electron/core/store/store.ts';
import { answerMessages } from '../lib/child.ts';
import { countingFiles } from '../lib/counting-files.ts';
import { sensorSource, type Source } from '../lib/data.ts';
import { eachTimed, percentile } from '../lib/measure.ts';
import { openRawDisk } from '../peers/raw-disk.ts';

interface Fleet {
  readonly directory: string;
  readonly devices: number;
}

/** Stores so many records of each device, one an entry, and keeps all of them in the log; answers 1 when they are on disk. */
export interface FillMessage extends Fleet {
  readonly task: 'fill';
  readonly each: number;
}

/** Opens the store that a fill left. */
export interface OpenMessage extends Fleet {
  readonly task: 'open';
  readonly each: number;
}

export interface FleetOpened {
  /** Of all threads, in s. */
  readonly cpuSeconds: number;
  /** ms. */
  readonly took: number;
}

/** Stores a record of each device a second for so many seconds, after `before` records of each. */
export interface SteadyMessage extends Fleet {
  readonly task: 'steady';
  readonly before: number;
  readonly seconds: number;
}

export interface Steady {
  /** ms from when a record is due to when it is stored. */
  readonly p99: number;
  readonly median: number;
  /** ms of one write and fdatasync of 4 KiB alone, before and after. */
  readonly diskP99: number;
  readonly diskMedian: number;
  /** A second. */
  readonly logSyncs: number;
  readonly otherSyncs: number;
  readonly stored: number;
}

const AT_ONCE = 5000;
const TICK_MS = 2;
const DISK_WRITES = 300;
/** Files of the log that a fill makes: large ones, so that none is full of records that have to go elsewhere. */
const NOTHING_MOVES = { walBytes: 16 << 20, roundFiles: 1000 };

const idOf = (n: number) =>
  createHash('sha1')
    .update(String(n))
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

answerMessages((message: FillMessage | OpenMessage | SteadyMessage) => {
  if (message.task === 'fill') return fill(message);
  return message.task === 'open' ? open(message) : steady(message);
});

async function fill({ directory, devices, each }: FillMessage): Promise<{ stored: number }> {
  const store = await openLog({ directory, limits: NOTHING_MOVES });
  await send(store, fleetOf(devices), each);
  return { stored: devices * each };
}

async function open({ directory, devices, each }: OpenMessage): Promise<FleetOpened> {
  const before = process.cpuUsage();
  const began = performance.now();
  const store = await openLog({ directory });
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  for (let n = 0; n < devices; n++)
    if ((await store.count(idOf(n))) !== each) throw new Error(`Device ${n} lacks records.`);
  return { cpuSeconds: (user + system) / 1e6, took };
}

async function steady({ directory, devices, before, seconds }: SteadyMessage): Promise<Steady> {
  const { files, syncs } = countingFiles();
  const store = await openLog({ directory: join(directory, 'data'), files });
  const fleet = fleetOf(devices);
  await send(store, fleet, before);
  await mkdir(join(directory, 'raw'), { recursive: true });
  const disk = openRawDisk(join(directory, 'raw'), 4096);
  const diskTimes = await eachTimed(DISK_WRITES, 20, () => disk.write());
  const first = { ...syncs };
  const times = new Float64Array(devices * seconds);
  let stored = 0;
  let sent = 0;
  const all = Promise.withResolvers<void>();
  const began = performance.now();
  // Counted, not held: promises of all records would be what the memory is full of.
  const storeOne = async (n: number, due: number) => {
    const { id, next } = fleet[n % devices]!;
    try {
      await store.append(id, next(1));
      times[stored++] = performance.now() - due;
      if (stored === times.length) all.resolve();
    } catch (error) {
      all.reject(error);
    }
  };
  const sendAll = async () => {
    while (sent < times.length) {
      const due = began + (sent * 1000) / devices;
      const wait = due - performance.now();
      // Timers are whole ms and late; what is due within a tick goes out at once, none before its time.
      if (wait > 0) await delay(Math.max(TICK_MS, wait));
      for (; sent < times.length; sent++) {
        const dueAt = began + (sent * 1000) / devices;
        if (dueAt > performance.now()) break;
        void storeOne(sent, dueAt);
      }
    }
  };
  await Promise.all([sendAll(), all.promise]);
  const took = (performance.now() - began) / 1000;
  const last = { ...syncs };
  diskTimes.push(...(await eachTimed(DISK_WRITES, 20, () => disk.write())));
  disk.close();
  await store.close();
  times.sort();
  diskTimes.sort((a, b) => a - b);
  const sorted = Array.from(times);
  return {
    p99: percentile(sorted, 0.99),
    median: percentile(sorted, 0.5),
    diskP99: percentile(diskTimes, 0.99) / 1000,
    diskMedian: percentile(diskTimes, 0.5) / 1000,
    logSyncs: (last.log - first.log) / took,
    otherSyncs: (last.others - first.others) / took,
    stored: stored / took,
  };
}

interface Member {
  readonly id: string;
  readonly next: Source;
}

const fleetOf = (devices: number): Member[] =>
  Array.from({ length: devices }, (_, n) => ({ id: idOf(n), next: sensorSource(n) }));

/** Each stores one record after the other, thousands at once. */
async function send(store: RecordStore, fleet: readonly Member[], each: number): Promise<void> {
  for (let round = 0; round < each; round++)
    for (let n = 0; n < fleet.length; n += AT_ONCE)
      await Promise.all(fleet.slice(n, n + AT_ONCE).map(({ id, next }) => store.append(id, next(1))));
}
