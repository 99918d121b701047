import { readdirSync } from 'node:fs';
import { createSystemClock } from '#core/clock.ts';
import { createLogger } from '#core/logger.ts';
import { startService, type Service } from '#core/service.ts';
import { testConfig } from '../helpers/config.ts';
import { WORKER_SCRIPT } from '../helpers/worker.ts';

/*
 * The service of a soak, in a process of its own whose clock runs faster: an hour of a lab passes in a minute. Started
 * with a directory and by how much; says where it listens, then answers each message with what it holds.
 */

export interface Started {
  readonly url: string;
  readonly key: string;
}

/** What the process holds after a collection; memory in bytes. */
export interface Held {
  readonly heap: number;
  readonly rss: number;
  readonly descriptors: number;
  /** Timers, sockets, threads and whatever else keeps it alive. */
  readonly resources: number;
  /** Turns in which nobody else was served for longer than STALL_MS, since it was asked the last time. */
  readonly stalls: readonly Stall[];
  /** The longest turn since then, in ms. */
  readonly longestMs: number;
  /** Errors in its log since it started. */
  readonly errors: readonly string[];
}

export interface Stall {
  readonly ms: number;
  /** Of these ms, the ones in which this thread had a processor: the others are the machine's. */
  readonly busyMs: number;
}

const BEAT_MS = 20;
const STALL_MS = 250;
const errors: string[] = [];
let stalls: Stall[] = [];
let longestMs = 0;

const [directory = '', factor = '1'] = process.argv.slice(2);
const service = await start(directory, Number(factor));
beat();
process.on('message', () => process.send?.(held()));
process.on('disconnect', () => void service.close().then(() => process.exit(0)));
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)));
process.send?.({ url: service.base_url, key: service.api_key } satisfies Started);

async function start(folder: string, faster: number): Promise<Service> {
  const system = createSystemClock();
  const began = system.now();
  const clock = { now: () => Math.floor(began + (system.now() - began) * faster) };
  const log = createLogger((line) => {
    if (/ error /i.test(line)) errors.push(line);
  });
  return startService(testConfig({ directory: folder, workerScript: WORKER_SCRIPT }), { clock, log });
}

/** Notes turns that are late, and whether it was this thread that kept everyone waiting. */
function beat(): void {
  let last = performance.now();
  let cpu = process.threadCpuUsage();
  setInterval(() => {
    const now = performance.now();
    const used = process.threadCpuUsage(cpu);
    const ms = Math.round(now - last - BEAT_MS);
    longestMs = Math.max(longestMs, ms);
    if (ms > STALL_MS) stalls.push({ ms, busyMs: Math.round((used.user + used.system) / 1000) });
    last = now;
    cpu = process.threadCpuUsage();
  }, BEAT_MS).unref();
}

function held(): Held {
  const answer = { stalls, longestMs, errors: errors.slice(0, 5), ...memory() };
  stalls = [];
  longestMs = 0;
  return answer;
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
