import { answerMessages } from '../lib/child.ts';
import { openLog } from '../../electron/core/store/log/log.ts';

interface Asked {
  directory: string;
  device: string | null;
}

/** Memory of a process that has a store open and has read from it; `device` null opens an empty one. */
answerMessages(async ({ directory, device }: Asked) => {
  const store = await openLog({ directory });
  const id = device ?? 'nobody';
  const { records } = await store.summary(id);
  for (let n = 0; n < 200; n++) {
    await store.page(id, { offset: Math.floor((records * n) / 200), limit: 100 });
  }
  globalThis.gc?.();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  await store.close();
  return { rss, heapUsed, external, arrayBuffers };
});
