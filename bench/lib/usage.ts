import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Asks what a process used since it was asked the last time. */
export interface UsageMessage {
  readonly usage: true;
}

export interface Usage {
  /** Of all threads, in s. */
  readonly cpuSeconds: number;
  /** Resident bytes, and those of V8's heap, after a collection where the process has --expose-gc. */
  readonly rss: number;
  readonly heap: number;
  /** ms by which the event loop was late. */
  readonly delayP99: number;
}

const RESOLUTION_MS = 1;

/** Measures this process from now on; says what it used since it was said the last time. */
export function followUsage(): () => Usage {
  let cpu = process.cpuUsage();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    // The histogram counts its own resolution in.
    const delayP99 = Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS);
    globalThis.gc?.();
    const { rss, heapUsed: heap } = process.memoryUsage();
    delay.reset();
    delay.enable();
    cpu = process.cpuUsage();
    return { cpuSeconds: (user + system) / 1e6, rss, heap, delayP99 };
  };
}
