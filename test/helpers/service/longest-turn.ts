import { setImmediate } from 'node:timers/promises';

/** Waits for the work; resolves with the longest turn meanwhile, in ms that this thread had a processor. */
export async function longestTurn(work: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const watched = watch(over.signal);
  try {
    await work;
  } finally {
    over.abort();
  }
  return watched;
}

async function watch(over: AbortSignal): Promise<number> {
  let longest = 0;
  do {
    const before = process.threadCpuUsage();
    await setImmediate();
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
  } while (!over.aborted);
  return longest;
}
