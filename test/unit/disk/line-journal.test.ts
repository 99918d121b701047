import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { LineJournal } from '#core/disk/line-journal.ts';
import { diskFiles, type DiskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';
import type { Attempt, Fault } from '../../faults/failing-files.ts';
import { journalProperty } from '../../faults/journal-lives.ts';

const PATH = '/things.journal';

let disk: Disk;
let files: DiskFiles;
/** What fails from now on, and with what. */
let failing: Partial<Record<Attempt, Fault>>;
let journal: LineJournal;

beforeEach(() => {
  disk = new Disk();
  failing = {};
  files = diskFiles(disk, (_, what) => failing[what] ?? null);
  journal = opened();
});

const opened = (version = 1) => new LineJournal({ path: PATH, files, word: 'things', version });
const found = async () => opened().read();
const nodeOf = (path: string) => new Map(disk.paths()).get(path) ?? -1;
const textOf = (path: string) => Buffer.from(disk.file(nodeOf(path)).bytes).toString();
function write(path: string, text: string): void {
  const file = disk.file(nodeOf(path));
  file.resize(0);
  file.write(Buffer.from(text), 0);
}

describe('a journal of lines', () => {
  test('has what it was begun with, and what was appended since, in order', async () => {
    expect(await found()).toEqual({ lines: [], rest: 'nothing' });
    await journal.replace(['a', 'b']);
    await Promise.all([journal.append('c'), journal.append('ä "d"'), journal.append('')]);
    expect(await found()).toEqual({ lines: ['a', 'b', 'c', 'ä "d"', ''], rest: 'nothing' });
    await journal.replace(['e']);
    await journal.append('f');
    expect(await found()).toEqual({ lines: ['e', 'f'], rest: 'nothing' });
  });

  test('says how many bytes it has', async () => {
    await journal.replace(['a']);
    await journal.append('b');
    expect(journal.bytes).toBe(textOf(PATH).length);
  });

  test('writes what arrives while it writes with one sync', async () => {
    await journal.replace([]);
    const before = files.attempts.length;
    await Promise.all(Array.from({ length: 50 }, (_, n) => journal.append(`${n}`)));
    const syncs = files.attempts.slice(before).filter(({ what }) => what === 'sync');
    expect(syncs.length).toBeLessThanOrEqual(2);
    expect((await found()).lines).toHaveLength(50);
  });

  test('brings a note with the next line, or when it is closed', async () => {
    await journal.replace([]);
    journal.note('one');
    expect((await found()).lines).toEqual([]);
    await journal.append('two');
    expect((await found()).lines).toEqual(['one', 'two']);
    journal.note('three');
    await journal.close();
    expect((await found()).lines).toEqual(['one', 'two', 'three']);
    expect(files.open).toBe(0);
  });

  test('takes nothing any more once it is closed, and says so', async () => {
    await journal.replace(['a']);
    await journal.close();
    await expect(journal.append('b')).rejects.toMatchObject({ name: 'StoreError', code: 'closed' });
    await expect(journal.replace(['b'])).rejects.toMatchObject({ name: 'StoreError', code: 'closed' });
    expect((await found()).lines).toEqual(['a']);
  });
});

describe('a file that is not whole', () => {
  beforeEach(async () => {
    await journal.replace(['a', 'b', 'c']);
  });

  test('loses the end that was torn off', async () => {
    const whole = textOf(PATH);
    const last = whole.trimEnd().lastIndexOf('\n') + 1;
    for (let length = last + 1; length < whole.length; length++) {
      write(PATH, whole.slice(0, length));
      expect(await found()).toEqual({ lines: ['a', 'b'], rest: 'torn' });
    }
  });

  test('loses what was written together where any part of it is missing', async () => {
    const before = textOf(PATH).length;
    await Promise.all(['d', 'e', 'f'].map((line) => journal.append(line)));
    const whole = textOf(PATH);
    expect((await found()).lines).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    // A sector that a power cut took, in the midst of those that arrived.
    for (let at = before; at < whole.length - 1; at++) {
      write(PATH, `${whole.slice(0, at)}\0${whole.slice(at + 1)}`);
      expect(await found()).toEqual({ lines: ['a', 'b', 'c'], rest: 'torn' });
    }
  });

  test('is damaged where a whole line stands behind one that is not', async () => {
    write(PATH, textOf(PATH).replace(/ b\n/, ' B\n'));
    expect(await found()).toEqual({ lines: ['a'], rest: 'damaged' });
  });

  test('is damaged where its first line is', async () => {
    write(PATH, textOf(PATH).replace('things', 'thingz'));
    expect(await found()).toEqual({ lines: [], rest: 'damaged' });
  });

  test('has no line of another file', async () => {
    const other = textOf(PATH).split('\n')[1] ?? '';
    await journal.replace(['x']);
    write(PATH, `${textOf(PATH)}${other}\n`);
    expect(await found()).toEqual({ lines: ['x'], rest: 'torn' });
  });

  test('is copied aside, so that nothing is lost before another is begun', async () => {
    const was = textOf(PATH);
    expect(await journal.setAside()).toBe(`${PATH}.damaged`);
    expect(textOf(`${PATH}.damaged`)).toBe(was);
    expect(textOf(PATH)).toBe(was);
    await journal.replace(['a']);
    expect((await found()).lines).toEqual(['a']);
  });

  test('of a newer version is refused and left alone', async () => {
    await new LineJournal({ path: PATH, files, word: 'things', version: 2 }).replace(['a']);
    const was = textOf(PATH);
    await expect(found()).rejects.toMatchObject({ name: 'StoreError', code: 'newer-format' });
    expect(textOf(PATH)).toBe(was);
  });

  test.each(['open', 'read'] as const)('says so in words where it cannot be read (%s)', async (what) => {
    failing = { [what]: 'EIO' };
    await expect(found()).rejects.toMatchObject({ name: 'StoreError', code: 'io' });
  });
});

describe('a disk that fails', () => {
  beforeEach(async () => {
    await journal.replace(['a']);
  });

  test.each(['ENOSPC', 'short'] as const)(
    'refuses a line when it is full (%s), and takes it when it is not',
    async (fault) => {
      failing = { grow: fault };
      const both = [journal.append('b'), journal.append('c')];
      for (const one of both) await expect(one).rejects.toMatchObject({ code: 'disk-full' });
      expect(await found()).toEqual({ lines: ['a'], rest: 'nothing' });
      failing = {};
      await journal.append('d');
      expect(await found()).toEqual({ lines: ['a', 'd'], rest: 'nothing' });
    },
  );

  test('takes no line after a failed sync until it was written anew', async () => {
    failing = { sync: 'EIO' };
    await expect(journal.append('b')).rejects.toMatchObject({ code: 'io' });
    failing = {};
    expect(journal.isBegun).toBe(false);
    await expect(journal.append('c')).rejects.toMatchObject({ code: 'io' });
    await journal.replace(['a', 'b']);
    await journal.append('c');
    expect((await found()).lines).toEqual(['a', 'b', 'c']);
  });

  test('keeps the old lines, and goes on with them, where writing anew fails', async () => {
    for (const what of ['make', 'grow', 'sync', 'rename'] as const) {
      failing = { [what]: 'ENOSPC' };
      await expect(journal.replace(['x'])).rejects.toMatchObject({ code: 'disk-full' });
      failing = {};
      await journal.append(what);
    }
    expect((await found()).lines).toEqual(['a', 'make', 'grow', 'sync', 'rename']);
    expect(files.open).toBe(1);
  });

  test('appends nothing to a file that has lost its name', async () => {
    failing = { 'sync-folder': 'EIO' };
    await expect(journal.replace(['x'])).rejects.toMatchObject({ code: 'io' });
    failing = {};
    expect(journal.isBegun).toBe(false);
    await expect(journal.append('b')).rejects.toMatchObject({ code: 'io' });
    await journal.replace(['y']);
    await journal.append('z');
    expect((await found()).lines).toEqual(['y', 'z']);
    expect(files.open).toBe(1);
  });
});

test('what was awaited is there after any crash, and a torn end is no damage', async () => {
  await fc.assert(journalProperty(), { numRuns: 500 });
});
