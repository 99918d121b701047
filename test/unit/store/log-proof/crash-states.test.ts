import { describe, expect, test } from 'vitest';
import type { Files } from '#core/disk/files.ts';
import { crashStates, randomCrashState } from '../../../faults/crash-states.ts';
import { diskFiles, type DiskFiles } from '../../../faults/disk-files.ts';
import { Disk } from '../../../faults/disk.ts';

/*
 * The simulated disk, tried on the oldest riddle: replace a small file so that it is whole, old or new, after a power
 * cut. Each careless way must be caught, or a store that passes has proved nothing.
 */

const OLD = Buffer.from('old content');
const NEW = Buffer.from('new content');

function readAll(disk: Disk, path: string): string | null {
  const node = new Map(disk.paths()).get(path);
  return node === undefined ? null : disk.file(node).bytes.toString();
}

/** A disk that holds the old file for good, and what `replace` did to it afterwards. */
async function traced(replace: (files: Files) => Promise<void>): Promise<{ base: Disk; files: DiskFiles }> {
  const base = new Disk();
  const before = diskFiles(base);
  await before.makeDirectory('/d');
  const file = before.openForWriting('/d/f', true);
  file.writeNow(OLD, 0);
  const files = diskFiles(base.copy());
  await replace(files);
  return { base, files };
}

/** What the file may hold after a power cut at any point; at the very end only, or before it, too. */
function possible({ base, files }: { base: Disk; files: DiskFiles }, from = 0): Set<string | null> {
  const found = new Set<string | null>();
  for (let length = from; length <= files.trace.length; length++)
    for (const { disk } of crashStates(files.trace, length, base)) found.add(readAll(disk, '/d/f'));
  return found;
}

function replaceBy({ sync = true, syncFolder = true } = {}) {
  return async (files: Files) => {
    const file = files.openForWriting('/d/f.tmp', true);
    file.writeNow(NEW, 0);
    if (sync) await file.sync();
    file.close();
    await files.rename('/d/f.tmp', '/d/f');
    if (syncFolder) await files.syncDirectory('/d');
  };
}

describe('the simulated disk', () => {
  test('finds nothing against write, sync, rename, sync of the folder', async () => {
    const run = await traced(replaceBy());
    expect(possible(run)).toEqual(new Set(['old content', 'new content']));
    expect(possible(run, run.files.trace.length)).toEqual(new Set(['new content']));
  });

  test('shows that a name may outrun its bytes', async () => {
    const found = possible(await traced(replaceBy({ sync: false })));
    expect(found).toContain('');
    expect(found).toContain('\0'.repeat(NEW.length));
    expect(found).toContain('n');
  });

  test('shows that a rename may be forgotten', async () => {
    const run = await traced(replaceBy({ syncFolder: false }));
    expect(possible(run, run.files.trace.length)).toEqual(new Set(['old content', 'new content']));
  });

  test('shows that a file written over may hold some of both', async () => {
    const found = possible(
      await traced(async (files) => {
        const file = files.openForWriting('/d/f', false);
        file.writeNow(NEW, 0);
        await file.sync();
      }),
    );
    expect(found).toContain('new content');
    expect(found).toContain('nld content');
  });

  test('does not believe a sync that follows a failed one', async () => {
    const base = new Disk();
    const files = diskFiles(base, (_, what) => (what === 'sync' ? failOnce() : null));
    let failures = 0;
    const failOnce = () => (failures++ === 0 ? 'EIO' : null);
    const file = files.openForWriting('/f', true);
    await files.syncDirectory('/');
    file.writeNow(NEW, 0);
    await expect(file.sync()).rejects.toMatchObject({ code: 'EIO' });
    await file.sync();
    const states = [...crashStates(files.trace, files.trace.length)].map(({ disk }) => readAll(disk, '/f'));
    expect(states).toContain('');
  });

  test('does not let a sync cover what was written after it had begun', async () => {
    const files = diskFiles(new Disk());
    const file = files.openForWriting('/f', true);
    await files.syncDirectory('/');
    const synced = file.sync();
    file.writeNow(NEW, 0);
    await synced;
    const states = [...crashStates(files.trace, files.trace.length)].map(({ disk }) => readAll(disk, '/f'));
    expect(states).toContain('');
  });

  test('writes half and says that the disk is full where told to', async () => {
    const files = diskFiles(new Disk(), (_, what) => (what === 'grow' ? 'short' : null));
    const file = files.openForWriting('/f', true);
    expect(() => file.writeNow(NEW, 0)).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
    expect(file.size).toBe(NEW.length >> 1);
  });

  test('draws states that the careful way survives, and ones that the careless does not', async () => {
    let seed = 1;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const drawn = async (options: Parameters<typeof replaceBy>[0]) => {
      const { base, files } = await traced(replaceBy(options));
      return new Set(
        Array.from({ length: 200 }, () => readAll(randomCrashState(files.trace, random, base), '/d/f')),
      );
    };
    expect(await drawn({})).toEqual(new Set(['new content']));
    expect((await drawn({ sync: false })).size).toBeGreaterThan(3);
  });
});
