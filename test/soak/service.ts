import { readdirSync } from 'node:fs';
import type { StoreConfig } from '#core/base/config.ts';
import { createLogger } from '#core/base/logger.ts';
import type { ClockSetting } from '#core/base/rig-clock.ts';
import { startService, type Service } from '#core/service/service.ts';
import { testConfig } from '../helpers/service/config.ts';
import { WORKER_SCRIPT } from '../helpers/service/scripts.ts';

/*
 * The service of a soak or a fuzz, in a process of its own, started with its ServiceOptions as JSON. Says where it listens,
 * then answers each message: "held" with what it holds, "turns" with how it kept others waiting, "console" with a fresh link.
 */

export interface ServiceOptions {
  readonly directory: string;
  /** What its clock is set to, as by --clock; without it, it has the machine's. */
  readonly clock?: ClockSetting;
  /** Where the console's page is, if it is to have one. */
  readonly page?: string;
  /** The script of its threads where it is not the one of the sources. */
  readonly worker?: string;
  /** The database where it keeps its records in one. */
  readonly store?: StoreConfig;
}

export interface Started {
  readonly url: string;
  /** Where MQTT is spoken. */
  readonly mqtt: string;
  readonly key: string;
}

/** How it went since it was asked the last time. */
export interface Turns {
  /** Turns in which nobody else was served for longer than STALL_MS. */
  readonly stalls: readonly Stall[];
  /** The longest turn, in ms. */
  readonly longestMs: number;
  /** The most memory that it had, in bytes. */
  readonly peakRss: number;
  /** Errors in its log, the first few of them. */
  readonly errors: readonly string[];
}

/** The same, and what the process holds after a collection; memory in bytes. */
export interface Held extends Turns {
  readonly heap: number;
  readonly rss: number;
  readonly descriptors: number;
  /** Timers, sockets, threads and whatever else keeps it alive. */
  readonly resources: number;
}

/** What a stop took of a processor, in ms: waits for the disk and for other programs are the machine's. */
export interface Stopped {
  readonly busyMs: number;
}

/** What it may be asked. */
export type Question = 'held' | 'turns' | 'console';

export interface Stall {
  readonly ms: number;
  /** Of these ms, the ones in which this thread had a processor: the others are the machine's. */
  readonly busyMs: number;
}

const BEAT_MS = 20;
const STALL_MS = 250;
let errors: string[] = [];
let stalls: Stall[] = [];
let longestMs = 0;
let peakRss = 0;

const service = await start(JSON.parse(process.argv[2] ?? '') as ServiceOptions);
const beat = startBeat();
process.on('message', (question: Question) => void reply(question));
process.on('disconnect', () => void service.close().then(() => process.exit(0)));
process.on('SIGTERM', () => void stop());
process.send?.({
  url: service.base_url,
  mqtt: service.mqtt_url ?? '',
  key: service.api_key,
} satisfies Started);

async function start({ directory, clock, page, worker, store }: ServiceOptions): Promise<Service> {
  const log = createLogger((line) => {
    if (/^\S+ error /.test(line)) errors.push(line);
  });
  const mqttPort = { number: 0, isAsked: true };
  const workerScript = worker ?? WORKER_SCRIPT;
  const config = testConfig({
    directory,
    workerScript,
    rendererDirectory: page ?? null,
    mqttPort,
    clock: clock ?? null,
    ...(store && { store }),
  });
  return startService(config, { log });
}

/** Notes turns that are late, and whether it was this thread that kept everyone waiting. Returns what looks at once. */
function startBeat(): () => void {
  let last = performance.now();
  let cpu = process.threadCpuUsage();
  function look(): void {
    const now = performance.now();
    const used = process.threadCpuUsage(cpu);
    const ms = Math.round(now - last - BEAT_MS);
    longestMs = Math.max(longestMs, ms);
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
    if (ms > STALL_MS) stalls.push({ ms, busyMs: Math.round((used.user + used.system) / 1000) });
    last = now;
    cpu = process.threadCpuUsage();
  }
  setInterval(look, BEAT_MS).unref();
  return look;
}

async function stop(): Promise<void> {
  const before = process.cpuUsage();
  await service.close();
  const { user, system } = process.cpuUsage(before);
  const stopped: Stopped = { busyMs: Math.round((user + system) / 1000) };
  process.send?.(stopped, () => process.exit(0));
}

async function reply(question: Question): Promise<void> {
  process.send?.(question === 'console' ? await service.console_url() : answer(question));
}

function answer(question: Exclude<Question, 'console'>): Held | Turns {
  // A turn that has just ended, before its beat.
  beat();
  const turns = { stalls, longestMs, peakRss, errors: errors.slice(0, 5) };
  stalls = [];
  longestMs = 0;
  peakRss = 0;
  errors = [];
  return question === 'held' ? { ...turns, ...memory() } : turns;
}

function memory() {
  // Twice: what the first one finalises, the second one frees.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    heap: heapUsed + external,
    rss,
    descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    resources: process.getActiveResourcesInfo().length,
  };
}
