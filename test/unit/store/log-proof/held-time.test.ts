import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { heldTime } from '../../../faults/held-time.ts';

/** A tester runs for hours: what a run had must not outlive it. */
test('time that was held holds nothing of the work that asked for it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const ran = async () => {
    const work = { bytes: Buffer.alloc(1 << 20), asks: () => performance.now() };
    await heldTime(async () => {
      for (let turn = 0; turn < 5; turn++) {
        work.asks();
        await setImmediate();
      }
    });
    return new WeakRef(work);
  };
  const was = await ran();
  const isLeft = async () => {
    await setImmediate();
    collect();
    return was.deref() !== undefined;
  };
  await expect.poll(isLeft).toBe(false);
});
