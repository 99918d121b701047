import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import { openFolderMetadata } from '#core/store/metadata/file/folder-metadata.ts';
import type { Metadata, WritableTables } from '#core/store/metadata/metadata.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { clockOf } from '../../../helpers/clock.ts';
import { failingFiles, type AskFault } from '../../../faults/failing-files.ts';
import { aDevice } from '../../../suites/metadata/rows.ts';

export const clock = clockOf(() => Date.UTC(2026, 2, 2, 20, 30, 21) * 1000 + 202_946);

/** A folder for each test of a file; what was opened in it is closed, and all of it removed, after the test. */
export function metadataFolder() {
  let directory: string;
  let open: Metadata[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fieldbench-metadata-'));
    open = [];
  });

  afterEach(async () => {
    // A store whose disk a test has broken may refuse to close.
    await Promise.allSettled(open.map((store) => store.close()));
    await rm(directory, { recursive: true });
  });

  async function openStore(files: Files = nodeFiles, folder = directory): Promise<Metadata> {
    const store = await openFolderMetadata({ directory: folder, clock, chance: systemRandom, files });
    open.push(store);
    return store;
  }

  return {
    openStore,
    reopened: async (store: Metadata): Promise<Metadata> => {
      await store.close();
      return openStore();
    },
    path: (name = '') => join(directory, name),
    contents: async (): Promise<Record<string, string>> => {
      const entries = await readdir(directory, { withFileTypes: true });
      // The audit trail has a folder of its own.
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      const files = names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const);
      return Object.fromEntries(await Promise.all(files));
    },
  };
}

/** Adds a project of the default account; returns its id. */
export function addProject(name: string) {
  return async (tables: WritableTables): Promise<string> => {
    const { default_account_id: account_id } = await tables.settings();
    const row = { id: crypto.randomUUID(), account_id, name, description: '', created: clock.now() };
    return (await tables.insert('projects', row)).id;
  };
}

/** Adds a device of no project; returns its id. */
export function addDevice(name: string) {
  return async (tables: WritableTables): Promise<string> => {
    const row = { ...aDevice(crypto.randomUUID(), 'a project'), name };
    return (await tables.insert('devices', row)).id;
  };
}

export async function namesOf(store: Metadata): Promise<string[]> {
  const projects = await store.read((tables) => tables.list('projects'));
  return projects.map(({ name }) => name);
}

/** Files that fail, or are seen, at a step of our choice. */
export const filesWith = (fault: AskFault): Files => failingFiles(nodeFiles, fault);
