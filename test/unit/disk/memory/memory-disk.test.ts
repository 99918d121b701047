import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StoreError } from '#core/base/errors.ts';
import { writeAtomically } from '#core/disk/atomic-file.ts';
import { diskError, MemoryFull } from '#core/disk/errors.ts';
import { areOnDisk } from '#core/disk/held-files.ts';
import { createMemoryDisk, MEMORY_DIRECTORY, spareMemory } from '#core/disk/memory/memory-disk.ts';
import { readWhole } from '#core/disk/whole-file.ts';

const MB = 1 << 20;
const CHUNK = 1 << 16;
const path = (name: string) => join(MEMORY_DIRECTORY, name);

async function madeDisk(bytes = MB) {
  const disk = createMemoryDisk(bytes);
  await disk.files.makeDirectory(MEMORY_DIRECTORY);
  return disk;
}

const filled = (length: number, value = 7) => Buffer.alloc(length, value);

describe('room', () => {
  test('is what is free, and comes back with what is removed, cut off or emptied', async () => {
    const disk = await madeDisk();
    const { files } = disk;
    const before = disk.space;
    expect(before.total).toBe(MB);
    const file = files.openForWriting(path('file'), true);
    file.writeNow(filled(300_000), 0);
    expect(disk.space.free).toBeLessThanOrEqual(before.free - 300_000);
    file.truncateNow(1000);
    expect(before.free - disk.space.free).toBeLessThanOrEqual(2048);
    file.writeNow(filled(300_000), 0);
    files.openForWriting(path('file'), true).close();
    expect(file.size).toBe(0);
    expect(before.free - disk.space.free).toBeLessThanOrEqual(512);
    file.close();
    await files.remove(path('file'));
    expect(disk.space).toEqual(before);
  });

  test('of a file without a name is free once nobody has it open', async () => {
    const disk = await madeDisk();
    const { files } = disk;
    const before = disk.space;
    const file = files.openForWriting(path('file'), true);
    const reader = files.openForReading(path('file'));
    file.writeNow(filled(100_000), 0);
    await files.remove(path('file'));
    file.close();
    expect(before.free - disk.space.free).toBeGreaterThanOrEqual(100_000);
    const bytes = Buffer.alloc(10);
    expect(reader.readNow(bytes, 99_995)).toBe(5);
    expect(bytes.subarray(0, 5)).toEqual(filled(5));
    reader.close();
    expect(disk.space).toEqual(before);
  });

  test('of a file that another one replaces is free, too', async () => {
    const disk = await madeDisk();
    const { files } = disk;
    await writeAtomically(path('file'), filled(200_000), { files });
    const after = disk.space;
    for (let n = 0; n < 10; n++) await writeAtomically(path('file'), filled(200_000, n), { files });
    expect(disk.space).toEqual(after);
    expect(await readWhole(files, path('file'))).toEqual(filled(200_000, 9));
  });

  test('is taken by names, so that files without a byte come to an end as well', async () => {
    const { files } = await madeDisk(100_000);
    const made = () => {
      for (let n = 0; n < 1000; n++) files.openForWriting(path(String(n)), true).close();
    };
    expect(made).toThrow(MemoryFull);
  });

  test('that zeros were written to is there for what comes in their place', async () => {
    const disk = await madeDisk();
    const { files } = disk;
    const log = files.openForWriting(path('log'), true);
    log.writeNow(Buffer.alloc(8 * CHUNK), 0);
    const other = files.openForWriting(path('other'), true);
    expect(() => other.writeNow(filled(MB), 0)).toThrow(MemoryFull);
    log.writeNow(filled(8 * CHUNK), 0);
    const bytes = Buffer.alloc(8 * CHUNK);
    expect(log.readNow(bytes, 0)).toBe(bytes.length);
    expect(bytes).toEqual(filled(8 * CHUNK));
  });
});

describe('a full disk', () => {
  test('says so as any other, in words that name the memory', async () => {
    const { files } = await madeDisk();
    const file = files.openForWriting(path('file'), true);
    await expect(file.write(filled(2 * MB), 0)).rejects.toMatchObject({ code: 'ENOSPC' });
    const error = diskError(new MemoryFull(), 'storing records');
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({
      code: 'disk-full',
      message:
        'The memory for files is full: storing records failed. Nothing stored before is lost. Free some space and try again.',
    });
  });

  test('keeps what was there, and takes more once something is removed', async () => {
    const { files } = await madeDisk();
    await writeAtomically(path('kept'), filled(600_000), { files });
    await expect(writeAtomically(path('kept'), filled(600_000, 8), { files })).rejects.toThrow(
      'The memory for files is full: nothing was changed. Free some space and try again.',
    );
    expect(await readWhole(files, path('kept'))).toEqual(filled(600_000));
    expect((await files.list(MEMORY_DIRECTORY)).map(({ name }) => name)).toEqual(['kept']);
    await files.remove(path('kept'));
    await writeAtomically(path('kept'), filled(600_000, 8), { files });
  });
});

test('what was cut off or overwritten by zeros reads as zeros', async () => {
  const { files } = await madeDisk();
  const file = files.openForWriting(path('file'), true);
  file.writeNow(filled(3 * CHUNK), 0);
  file.writeNow(Buffer.alloc(CHUNK + 10), CHUNK - 5);
  file.truncateNow(2 * CHUNK + 100);
  file.truncateNow(3 * CHUNK);
  const bytes = Buffer.alloc(3 * CHUNK);
  file.readNow(bytes, 0);
  const expected = filled(3 * CHUNK);
  expected.fill(0, CHUNK - 5, 2 * CHUNK + 5).fill(0, 2 * CHUNK + 100);
  expect(bytes.equals(expected)).toBe(true);
});

test('long work on it lets others have their turn', async () => {
  const { files } = await madeDisk();
  const file = files.openForWriting(path('file'), true);
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  for (let n = 0; n < 100; n++) {
    await file.write(filled(10), n * 10);
    await file.sync();
  }
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(100);
});

test('worker threads do not look for its files on the disk', async () => {
  expect(areOnDisk((await madeDisk()).files)).toBe(false);
});

test('it may take part of what the machine has left', () => {
  expect(spareMemory()).toBeGreaterThan(0);
  expect(spareMemory()).toBeLessThan(process.availableMemory());
});
