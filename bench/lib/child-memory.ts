import type { Child } from './process.ts';
import type { Usage } from './usage.ts';

const SAMPLE_MS = 50;
const MB = 1 << 20;

/** Does the work, and resolves with what it gave and by how many MB the memory of a child grew meanwhile at most. */
export async function grownBy<T>(
  child: Child,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly grown: number }> {
  const rss = async () => (await child.ask<Usage>({ usage: true })).rss;
  const before = await rss();
  let peak = before;
  const over = new AbortController();
  const working = work().finally(() => over.abort());
  const watching = (async () => {
    while (!over.signal.aborted) {
      peak = Math.max(peak, await rss());
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  const [result] = await Promise.all([working, watching]);
  return { result, grown: (peak - before) / MB };
}
