import * as fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { errorCode } from '#core/disk/errors.ts';
import { nodeFiles, type Files, type OpenFile } from '#core/disk/files.ts';
import { createMemoryDisk, MEMORY_DIRECTORY } from '#core/disk/memory/memory-disk.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

/* Whatever is done to a disk in memory, it says what a real one says. */

const ROOM = 1 << 26;
/** Few names, so that they meet; `a` is mostly a folder. */
const names = fc.constantFrom('x', 'y', 'a', 'a/x', 'a/y', 'a/b', 'a/b/x', 'x/y');
/** About the sizes at which a file in memory takes more. */
const sizes = fc.oneof(
  fc.integer({ min: 0, max: 600 }),
  fc.integer({ min: 65_000, max: 66_000 }),
  fc.integer({ min: 0, max: 300_000 }),
);
const value = fc.constantFrom(0, 0, 1, 255);
/** Which of the open files. */
const which = fc.nat({ max: 3 });

const anOperation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('open'), name: names, create: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read'), name: names }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('write'), which, at: sizes, length: sizes, value }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut'), which, size: sizes }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('folder'), name: names }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rename'), name: names, to: names }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('link'), name: names, to: names }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove'), name: names }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove folder'), name: names }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('list'), name: names }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sync folder'), name: names }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('one name'), name: names }) },
);
type Operation = typeof anOperation extends fc.Arbitrary<infer Each> ? Each : never;

/** A disk, and what is open on it. */
class World {
  readonly #files: Files;
  readonly #root: string;
  readonly #open: OpenFile[] = [];

  constructor(files: Files, root: string) {
    this.#files = files;
    this.#root = root;
  }

  /** Resolves with what came of it, an error by its code. */
  async perform(operation: Operation): Promise<unknown> {
    try {
      return await this.#perform(operation);
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      return code;
    }
  }

  /** All that is there, by path, and what is open though it has no name. */
  async content(): Promise<unknown> {
    return [await this.#contentOf(this.#root), this.#open.map(contentOf)];
  }

  closeAll(): void {
    for (const file of this.#open.splice(0)) file.close();
  }

  async removeAll(folder = this.#root): Promise<void> {
    for (const { name, isDirectory } of await this.#files.list(folder)) {
      const path = join(folder, name);
      if (isDirectory) await this.removeAll(path);
      else await this.#files.remove(path);
    }
    await this.#files.removeDirectory(folder);
  }

  async #perform(operation: Operation): Promise<unknown> {
    const files = this.#files;
    switch (operation.kind) {
      case 'open':
        return this.#opened(() => files.openForWriting(this.#at(operation.name), operation.create));
      case 'read': {
        const file = files.openForReading(this.#at(operation.name));
        try {
          return contentOf(file);
        } finally {
          file.close();
        }
      }
      case 'write':
        await this.#of(operation.which)?.write(Buffer.alloc(operation.length, operation.value), operation.at);
        return this.#of(operation.which)?.size;
      case 'cut':
        this.#of(operation.which)?.truncateNow(operation.size);
        return this.#of(operation.which)?.size;
      case 'close':
        for (const file of this.#open.splice(operation.which, 1)) file.close();
        return undefined;
      case 'folder': {
        const made = await files.makeDirectory(this.#at(operation.name));
        return made === undefined ? undefined : relative(this.#root, made);
      }
      case 'rename':
        return files.rename(this.#at(operation.name), this.#at(operation.to));
      case 'link':
        return files.link(this.#at(operation.name), this.#at(operation.to));
      case 'remove':
        return files.remove(this.#at(operation.name));
      case 'remove folder':
        return files.removeDirectory(this.#at(operation.name));
      case 'list':
        return byName(await files.list(this.#at(operation.name)));
      case 'sync folder':
        return files.syncDirectory(this.#at(operation.name));
      case 'one name':
        return files.hasOneName(this.#at(operation.name));
    }
  }

  #at(name: string): string {
    return join(this.#root, name);
  }

  #opened(open: () => OpenFile): number | undefined {
    const file = open();
    if (this.#open.length < 4) this.#open.push(file);
    else file.close();
    return this.#open.length;
  }

  #of(at: number): OpenFile | undefined {
    return this.#open[at];
  }

  async #contentOf(folder: string): Promise<unknown> {
    const found = [];
    for (const { name, isDirectory } of byName(await this.#files.list(folder))) {
      const path = join(folder, name);
      if (isDirectory) found.push([name, await this.#contentOf(path)]);
      else {
        const file = this.#files.openForReading(path);
        found.push([name, contentOf(file)]);
        file.close();
      }
    }
    return found;
  }
}

const byName = (entries: Awaited<ReturnType<Files['list']>>) =>
  entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Its size, and a digest of its bytes that a person can read: where which value begins. */
function contentOf(file: OpenFile): unknown {
  const bytes = Buffer.alloc(file.size, 9);
  const count = file.readNow(bytes, 0);
  const runs: [at: number, value: number][] = [];
  for (let at = 0; at < bytes.length; at++)
    if (bytes[at] !== runs.at(-1)?.[1]) runs.push([at, bytes[at] ?? 0]);
  return { size: file.size, count, runs };
}

// Other systems say of folders in other words what Linux says of them.
test.runIf(process.platform === 'linux')('answers, errors and bytes are those of the disk', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anOperation, { minLength: 1, maxLength: 40 }), async (operations) => {
      const folder = await mkdtemp(join(tmpdir(), 'fieldbench-disk-'));
      const disk = createMemoryDisk(ROOM);
      await disk.files.makeDirectory(MEMORY_DIRECTORY);
      const real = new World(nodeFiles, folder);
      const memory = new World(disk.files, MEMORY_DIRECTORY);
      try {
        for (const each of operations)
          expect([each, await memory.perform(each)]).toEqual([each, await real.perform(each)]);
        expect(await memory.content()).toEqual(await real.content());
        memory.closeAll();
        await memory.removeAll();
        expect(disk.space).toEqual({ free: ROOM, total: ROOM });
      } finally {
        real.closeAll();
        await rm(folder, { recursive: true });
      }
    }),
    { numRuns: someRuns(400) },
  );
});
