import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordStore } from '../../electron/core/store/store.ts';
import { randomSource, sensorSource, sparseSource, type Source } from './data.ts';
import { askOnce } from './process.ts';
import type { Setup } from '../children/service.ts';

export type Kind = 'sensor' | 'random' | 'sparse';
const SOURCES: Record<Kind, () => Source> = {
  sensor: () => sensorSource(),
  random: () => randomSource(),
  sparse: () => sparseSource(),
};

/** A service's data directory with a project and a device in it. */
export interface Filled {
  readonly directory: string;
  /** The folder of the store. */
  readonly data: string;
  readonly project: string;
  readonly device: string;
  readonly token: string;
}

const BATCH = 10_000;

/** Makes folders and filled stores, and removes them. `root` is on the disk that is measured. */
export async function createFixtures(open: (directory: string) => Promise<RecordStore>) {
  const root = await mkdtemp(join(tmpdir(), 'fieldbench-bench-'));
  const made = new Map<string, Promise<Filled>>();
  let ofRow: string[] = [];
  let count = 0;

  async function fill(records: number, kind: Kind): Promise<Filled> {
    const directory = join(root, `filled-${kind}-${records}`);
    const setup = await askOnce<Setup>('service', { start: { directory }, setUp: true });
    const result = { directory, data: join(directory, 'data'), ...setup };
    const store = await open(result.data);
    const next = SOURCES[kind]();
    for (let n = 0; n < records; n += BATCH)
      await store.append(result.device, next(Math.min(BATCH, records - n)));
    await store.close();
    return result;
  }

  const folder = () => {
    const path = join(root, `row-${++count}`);
    ofRow.push(path);
    return path;
  };
  function filled(records: number, kind: Kind = 'sensor') {
    const name = `${kind}-${records}`;
    const known = made.get(name) ?? fill(records, kind);
    made.set(name, known);
    return known;
  }

  return {
    folder: () => Promise.resolve(folder()),
    filled,
    async copyOfFilled(records: number): Promise<Filled> {
      const original = await filled(records);
      const directory = folder();
      await cp(original.directory, directory, { recursive: true });
      return { ...original, directory, data: join(directory, 'data') };
    },
    async endRow() {
      for (const path of ofRow) await rm(path, { recursive: true, force: true });
      ofRow = [];
    },
    close: () => rm(root, { recursive: true, force: true }),
  };
}

/** Bytes that the files below a folder take up on disk. */
export async function bytesOnDisk(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const { size, blocks } = await stat(join(parentPath, name));
      // Windows does not count blocks.
      return process.platform === 'win32' ? size : blocks * 512;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
