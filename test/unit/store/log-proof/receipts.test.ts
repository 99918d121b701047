import { expect, test } from 'vitest';
import { crashStates } from '../../../faults/crash-states.ts';
import { diskFiles } from '../../../faults/disk-files.ts';
import { Disk, type Operation } from '../../../faults/disk.ts';
import { record } from '../../../suites/record-store/harness.ts';
import { openTiny } from './open-tiny.ts';

/** A process is killed behind some of what it did: the disk has it, synced or not. */
function killed(done: readonly Operation[]) {
  const disk = new Disk();
  for (const operation of done) disk.apply(operation);
  return diskFiles(disk, undefined, done);
}

test('a receipt is known after a kill, a start that finds it in the file, and a power cut', async () => {
  const first = diskFiles(new Disk());
  const store = await openTiny(first, { keptWalBytes: 0 });
  // So that there is a file, to which the next one is added in place.
  await store.append('d', [record(1)], { receipt: 'one' });
  await store.close();
  const again = await openTiny(first, { keptWalBytes: 0 });
  await again.append('d', [record(2)], { receipt: 'two' });
  const acknowledged = first.trace.length;
  await again.close();
  for (let length = acknowledged; length <= first.trace.length; length++) {
    const files = killed(first.trace.slice(0, length));
    await (await openTiny(files, { keptWalBytes: 0 })).close();
    for (const { name, disk } of crashStates(files.trace, files.trace.length)) {
      const left = await openTiny(diskFiles(disk));
      const sent = [
        await left.append('d', [record(1)], { receipt: 'one' }),
        await left.append('d', [record(2)], { receipt: 'two' }),
      ];
      expect([name, length, sent, await left.count('d')]).toEqual([
        name,
        length,
        ['duplicate', 'duplicate'],
        2,
      ]);
      await left.close();
    }
  }
});
