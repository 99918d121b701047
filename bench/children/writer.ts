import { answerMessages } from '../lib/child.ts';
import { sensorSource } from '../lib/data.ts';
import { openLog } from '../../electron/core/store/log/log.ts';

interface Asked {
  directory: string;
  device: string;
  records: number;
}

/** Stores records one after another until it is killed; says when the first `records` are on disk. */
answerMessages(async ({ directory, device, records }: Asked) => {
  const store = await openLog({ directory });
  const next = sensorSource(7);
  for (let n = 0; n < records; n += 100) await store.append(device, next(100));
  return { stored: records };
});
