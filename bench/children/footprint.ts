import { answerMessages } from '../lib/child.ts';
import { openLog } from '../../electron/core/store/log/log.ts';

interface Asked {
  directory: string;
  device: string | null;
}

/** Memory of a process that has a store open and has read from it; `device` null opens an empty one. In bytes. */
export interface Footprint {
  /** Once 200 pages were read. */
  readonly opened: number;
  /** Once 3,000 more pages were read from all over, and ten charts of everything drawn. */
  readonly used: number;
}

const resident = () => {
  globalThis.gc?.();
  return process.memoryUsage().rss;
};

answerMessages(async ({ directory, device }: Asked) => {
  const store = await openLog({ directory });
  const id = device ?? 'nobody';
  const { records, keys, first, last } = await store.summary(id);
  async function readPages(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const { borrowed: lent } = await store.page(id, {
        offset: Math.floor((records * n) / count),
        limit: 100,
      });
      lent?.release();
    }
  }
  await readPages(200);
  const opened = resident();
  await readPages(3000);
  const range = { start: first ?? 0, end: last ?? 1 };
  for (let n = 0; n < 10; n++)
    await store.series(id, { range, keys: keys.map(({ key }) => key), width: 1200 });
  const used = resident();
  await store.close();
  return { opened, used } satisfies Footprint;
});
