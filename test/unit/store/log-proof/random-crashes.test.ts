import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Files } from '#core/disk/files.ts';
import { powerCuts } from '../../../faults/power-cuts.ts';
import type { OpenStore } from '../../../faults/run.ts';
import { crashProperty } from '../../../faults/random-crashes.ts';
import { openTiny } from './open-tiny.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

describe('the append log, killed and cut off at random', () => {
  test('is what the naive model says', () => fc.assert(crashProperty(openTiny), { numRuns: someRuns(150) }));

  // Else the test above would prove nothing.
  test.for<[string, (path: string) => boolean]>([
    ['its write-ahead log', (path) => path.includes('wal-')],
    ['its segments', (path) => path.endsWith('.seg')],
    ['its manifests', (path) => path.includes('manifest')],
    ['folders', (path) => !path.includes('.') && !path.includes('manifest')],
  ])('would not be if it did not sync %s', async ([, forgets]) => {
    const { failed } = await fc.check(
      crashProperty((files) => openTiny(forgetful(files, forgets))),
      { numRuns: someRuns(500), endOnFailure: true },
    );
    expect(failed).toBe(true);
  });

  test('would store what is sent again twice if it did not sync its receipts', async () => {
    const open: OpenStore = (files) => openTiny(forgetful(files, (path) => path.includes('receipts')));
    await expect(powerCuts(open, { stride: 5 })).rejects.toThrow(/receipt/);
  });
});

/** Files of which some are not synced, although it is said that they are. */
function forgetful(files: Files, forgets: (path: string) => boolean): Files {
  return {
    ...files,
    openForWriting(path, create) {
      const file = files.openForWriting(path, create);
      if (!forgets(path)) return file;
      return Object.defineProperties({ ...file, sync: async () => {} }, { size: { get: () => file.size } });
    },
    syncDirectory: async (path) => {
      if (!forgets(path)) await files.syncDirectory(path);
    },
  };
}
