import assert from 'node:assert/strict';
import { join } from 'node:path';
import { LabLost } from '#core/push/lab.ts';
import { openLog } from '#core/store/log/log.ts';
import { counting } from '../../suites/record-store/harness.ts';
import { contents, DEVICE, digestOf, sidesOf } from './push-model.ts';

/** Requests of one push of so many records, about: a cut is somewhere among them. */
const MOST_REQUESTS = 14;

/**
 * Pushes from one log to another, cut off again and again before a request, or before its answer, then once to the end.
 * Rejects where the lab then has not the very records that are here, each as often.
 */
export async function cutPushes({
  directory,
  cuts,
  records,
  random,
}: {
  readonly directory: string;
  readonly cuts: number;
  readonly records: number;
  readonly random: () => number;
}): Promise<{ readonly records: number; readonly requests: number }> {
  await using here = await closing(openLog({ directory: join(directory, 'here') }));
  await using there = await closing(openLog({ directory: join(directory, 'there') }));
  const sides = await sidesOf(here.store, there.store, false);
  for (let cut = 0; cut < cuts; cut++) {
    // Some come between the pushes: there is always something to send.
    const each = Math.ceil(records / cuts);
    await here.store.append(DEVICE, counting(cut * each, Math.min(each, records - cut * each)));
    sides.lab.cutAfter(Math.floor(random() * MOST_REQUESTS), random() < 0.5);
    try {
      await sides.run(await sides.plan());
    } catch (error) {
      if (!(error instanceof LabLost)) throw error;
    }
  }
  sides.lab.cutAfter(Infinity, false);
  await sides.run(await sides.plan());
  assert.deepEqual(await digestOf(there.store), await digestOf(here.store));
  assert.deepEqual(await contents(there.store), await contents(here.store));
  return { records: await there.store.count(DEVICE), requests: sides.lab.requests };
}

/** A store that is closed at the end of its block. */
export async function closing(opening: ReturnType<typeof openLog>) {
  const store = await opening;
  return { store, [Symbol.asyncDispose]: () => store.close() };
}
