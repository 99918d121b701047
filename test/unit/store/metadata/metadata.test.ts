import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '#core/clock.ts';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import {
  nextSequence,
  openMetadata,
  type MetadataDraft,
  type MetadataStore,
} from '#core/store/metadata/metadata.ts';
import { failingFiles, type AskFault, type Attempt, type Fault } from '../../../faults/failing-files.ts';

const clock: Clock = { now: () => Date.UTC(2026, 2, 2, 20, 30, 21) * 1000 + 202_946 };

let directory: string;
let open: MetadataStore[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-metadata-'));
  open = [];
});

afterEach(async () => {
  // A store whose disk a test has broken may refuse to close.
  await Promise.allSettled(open.map((store) => store.close()));
  await rm(directory, { recursive: true });
});

async function openStore(files?: Files, folder = directory): Promise<MetadataStore> {
  const store = await openMetadata(
    files ? { directory: folder, clock, files } : { directory: folder, clock },
  );
  open.push(store);
  return store;
}

function addProject(name: string) {
  return (draft: MetadataDraft) => {
    const id = crypto.randomUUID();
    const account_id = draft.settings.default_account_id;
    draft.projects[id] = {
      id,
      account_id,
      name,
      description: '',
      created: clock.now(),
      sequence: nextSequence(draft),
    };
    return id;
  };
}

function addDevice(name: string) {
  return (draft: MetadataDraft) => {
    const id = crypto.randomUUID();
    draft.devices[id] = {
      id,
      project_id: 'a project',
      name,
      description: '',
      source: 'http',
      tags: ['field'],
      brand: 'Custom',
      model: 'Custom',
      avatar: null,
      metadata: { height: { metres: 2 } },
      token_hash: '0'.repeat(64),
      created: clock.now(),
      sequence: nextSequence(draft),
    };
    return id;
  };
}

const rowOf = (draft: MetadataDraft) => Object.values(draft.projects)[0] ?? {};

function deviceOf(draft: MetadataDraft): MetadataDraft['devices'][string] {
  const [device] = Object.values(draft.devices);
  if (!device) throw new Error('There is no device.');
  return device;
}

type Json = MetadataDraft['devices'][string]['metadata'];

function endless(): Json {
  const object: Json = {};
  object['self'] = object;
  return object;
}

const deep = (levels: number) => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)) as Json;

const namesOf = (store: MetadataStore) => Object.values(store.state.projects).map(({ name }) => name);

/** Files that fail, or are seen, at a step of our choice. */
const filesWith = (fault: AskFault): Files => failingFiles(nodeFiles, fault);

const mainPath = () => join(directory, 'metadata.json');
const copyPath = () => join(directory, 'metadata.last-good.json');
const contents = async () =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(directory)).map(async (name) => [name, await readFile(join(directory, name), 'utf8')]),
    ),
  ) as Record<string, string>;

/** Leaves a folder with one project, closed. */
async function prepare() {
  const store = await openStore();
  await store.update(addProject('Rig'));
  await store.close();
  return store.state;
}

describe('a new folder', () => {
  it('gets an account that owns everything, and files for its user alone', async () => {
    const store = await openStore(undefined, join(directory, 'new'));
    const { settings, accounts } = store.state;
    expect(accounts[settings.default_account_id]?.name).toBe('Default');
    expect(settings.installation_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(store.notes).toEqual([]);
    await store.close();
    const modes = await Promise.all(
      ['', 'metadata.json', 'metadata.last-good.json'].map(
        async (name) => (await stat(join(directory, 'new', name))).mode,
      ),
    );
    if (process.platform !== 'win32')
      expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
  });

  it('is read again as it was written', async () => {
    const store = await openStore();
    const id = await store.update(addDevice('Pump 1 — “Süd”'));
    await store.update(addProject('Rig'));
    const before = store.state;
    await store.close();
    const again = await openStore();
    expect(again.state).toEqual(before);
    expect(again.state.devices[id]?.metadata).toEqual({ height: { metres: 2 } });
  });
});

describe('the state', () => {
  it('is frozen, keeps what did not change, and knows no id that was not given', async () => {
    const store = await openStore();
    const first = await store.update(addProject('one'));
    const before = store.state;
    await store.update(addProject('two'));
    expect(Object.keys(before.projects)).toEqual([first]);
    expect(store.state.projects[first]).toBe(before.projects[first]);
    expect(store.state.devices).toBe(before.devices);
    expect(Reflect.set(store.state.projects, first, 'other')).toBe(false);
    for (const { state } of [store, await reopened(store)])
      for (const id of ['__proto__', 'constructor', 'toString']) expect(state.projects[id]).toBeUndefined();
  });

  it('shows a change only once it is on disk', async () => {
    const store = await openStore();
    const writing = store.update(addProject('one'));
    expect(namesOf(store)).toEqual([]);
    await writing;
    expect(namesOf(store)).toEqual(['one']);
    expect(await readFile(join(directory, 'metadata.json'), 'utf8')).toContain('"name":"one"');
  });
});

async function reopened(store: MetadataStore): Promise<MetadataStore> {
  await store.close();
  return openStore();
}

describe('an update', () => {
  it('joins those that wait into one write: 1,000 devices, a handful of writes', async () => {
    let writes = 0;
    const store = await openStore(
      filesWith((what, path) => {
        if (what === 'rename' && basename(path) === 'metadata.json.tmp') writes++;
        return null;
      }),
    );
    writes = 0;
    const ids = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => store.update(addDevice(`device ${i}`))),
    );
    expect(writes).toBeLessThanOrEqual(5);
    expect(new Set(ids).size).toBe(1000);
    const sequences = Object.values(store.state.devices).map(({ sequence }) => sequence);
    expect(new Set(sequences).size).toBe(1000);
    expect(Object.keys((await reopened(store)).state.devices)).toHaveLength(1000);
  });

  it('that throws is undone whole and touches no other', async () => {
    const store = await openStore();
    const results = await Promise.allSettled([
      store.update(addProject('before')),
      store.update((draft) => {
        addProject('half done')(draft);
        for (const project of Object.values(draft.projects)) project.name = 'spoiled';
        throw new Error('changed its mind');
      }),
      store.update(addProject('after')),
      store.update((draft) => Object.values(draft.projects).map(({ name }) => name)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: new Error('changed its mind') });
    expect(results[3]).toMatchObject({ value: ['before', 'after'] });
    expect(namesOf(store)).toEqual(['before', 'after']);
    expect(namesOf(await reopened(store))).toEqual(['before', 'after']);
  });

  it('returns plain values, even where it returns a part of the draft', async () => {
    const store = await openStore();
    const id = await store.update(addDevice('sensor'));
    const device = await store.update((draft) => {
      const found = draft.devices[id];
      found?.tags.push('renamed');
      return found;
    });
    expect(device).toEqual(store.state.devices[id]);
    expect(device?.tags).toEqual(['field', 'renamed']);
  });

  it('that changes nothing writes nothing', async () => {
    let writes = 0;
    const store = await openStore(
      filesWith((what) => {
        if (what === 'make') writes++;
        return null;
      }),
    );
    writes = 0;
    expect(await store.update((draft) => draft.settings.default_account_id)).toBe(
      store.state.settings.default_account_id,
    );
    expect(writes).toBe(0);
  });

  it('that would not be readable at the next start is refused', async () => {
    const store = await openStore();
    const id = await store.update(addProject('one'));
    const spoil = store.update((draft) => {
      const project = draft.projects[id];
      if (project) project.created = Number.NaN;
    });
    await expect(spoil).rejects.toThrow(/projects\.created/);
    expect(store.state.projects[id]?.created).toBe(clock.now());
    expect(namesOf(await reopened(store))).toEqual(['one']);
  });

  const bad: [string, (draft: MetadataDraft) => unknown, RegExp][] = [
    ['a time that is none', (draft) => void Object.assign(rowOf(draft), { created: Number.NaN }), /created/],
    [
      'a number that is not exact',
      (draft) => void Object.assign(rowOf(draft), { created: 2 ** 60 }),
      /created/,
    ],
    ['a field of another type', (draft) => void Object.assign(rowOf(draft), { name: 7 }), /name/],
    [
      'a number that JSON lacks',
      (draft) => void (deviceOf(draft).metadata = { a: [Number.POSITIVE_INFINITY] }),
      /metadata/,
    ],
    ['what holds itself', (draft) => void (deviceOf(draft).metadata = endless()), /metadata/],
    ['what is too deep', (draft) => void (deviceOf(draft).metadata = deep(100_000)), /too deep/],
    ['no shape', (draft) => void Object.assign(draft, { deletions: [{}] }), /deletions/],
  ];
  it.each(bad)('with %s is refused alone: ten others that wait with it are kept', async (_, spoil, words) => {
    const store = await openStore();
    await store.update(addProject('old'));
    await store.update(addDevice('old'));
    const before = store.state;
    const some = (from: number) =>
      Array.from({ length: 5 }, (__, n) => store.update(addProject(`good ${from + n}`)));
    const first = some(0);
    const refused = store.update((draft) => {
      addProject('half done')(draft);
      return spoil(draft);
    });
    const rest = some(5);
    await expect(refused).rejects.toThrow(words);
    await Promise.all([...first, ...rest]);
    const expected = ['old', ...Array.from({ length: 10 }, (__, n) => `good ${n}`)];
    expect(namesOf(store)).toEqual(expected);
    expect(store.state.devices).toBe(before.devices);
    const again = await reopened(store);
    expect(namesOf(again)).toEqual(expected);
    expect(again.notes).toEqual([]);
  });

  it('that threw beside one that cannot be written is refused once and for all', async () => {
    const store = await openStore();
    let tries = 0;
    const fickle = store.update((draft) => {
      if (tries++ > 0) addProject('told that it was not made')(draft);
      throw new Error('changed its mind');
    });
    const spoil = store.update((draft) => void Object.assign(draft, { deletions: [{}] }));
    const good = store.update(addProject('good'));
    await expect(fickle).rejects.toThrow('changed its mind');
    await expect(spoil).rejects.toThrow('deletions');
    await good;
    expect(namesOf(store)).toEqual(['good']);
  });

  it('is finished by close, after which there are no more', async () => {
    const store = await openStore();
    const last = store.update(addProject('last'));
    await store.close();
    await last;
    await expect(store.update(addProject('late'))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'closed',
    });
    expect(namesOf(await openStore())).toEqual(['last']);
  });
});

describe('a write that fails', () => {
  it.each<[string, Attempt, Fault]>([
    ['at its making', 'make', 'EIO'],
    ['half-way through the file', 'grow', 'short'],
    ['at the sync', 'sync', 'EIO'],
    ['at the rename', 'rename', 'EIO'],
  ])('%s leaves the old file whole and the state as it was', async (_, step, fault) => {
    let failing = false;
    const store = await openStore(filesWith((what) => (failing && what === step ? fault : null)));
    await store.update(addProject('kept'));
    const before = store.state;
    const bytes = await readFile(join(directory, 'metadata.json'));
    failing = true;
    const joined = await Promise.allSettled([store.update(addProject('a')), store.update(addProject('b'))]);
    for (const result of joined)
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'StoreError' } });
    expect(store.state).toBe(before);
    expect(await readFile(join(directory, 'metadata.json'))).toEqual(bytes);
    failing = false;
    await store.update(addProject('next'));
    expect(namesOf(await reopened(store))).toEqual(['kept', 'next']);
  });

  const full = 'The disk is full: nothing was changed. Free some space and try again.';
  const readOnly =
    'The data folder is read-only: nothing was changed. Give its user the right to write to it and try again.';
  it.each<[Fault, string, string]>([
    ['ENOSPC', 'disk-full', full],
    ['EDQUOT', 'disk-full', full],
    ['EROFS', 'read-only', readOnly],
    ['EACCES', 'read-only', readOnly],
    ['EIO', 'io', 'The disk failed to write: the change may be lost. Check the disk.'],
  ])('with %s says %s, and no path', async (code, expected, message) => {
    let failing = false;
    const store = await openStore(filesWith((what) => (failing && what === 'grow' ? code : null)));
    failing = true;
    const refused: unknown = await store.update(addProject('x')).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'StoreError', code: expected, message });
    expect(String(refused)).not.toContain(directory);
    failing = false;
  });

  it('of the copy alone is noted, and made good by the next', async () => {
    let failing = true;
    const store = await openStore(
      filesWith((what, path) => (failing && what === 'grow' && path.includes('last-good') ? 'EIO' : null)),
    );
    await store.update(addProject('one'));
    await store.close();
    expect(store.notes.join()).toContain('metadata.last-good.json could not be brought up to date');
    failing = false;
    const again = await openStore();
    await again.close();
    expect(await readFile(join(directory, 'metadata.last-good.json'), 'utf8')).toContain('"name":"one"');
  });
});

describe('at the next start', () => {
  const damages: [string, (text: string) => string][] = [
    ['cut off', (text) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['zeros, as some disks leave after a power cut', (text) => '\0'.repeat(text.length)],
    ['JSON of another shape', (text) => text.replace('"created":', '"created":"soon","was":')],
    ['a list', () => '[]'],
    ['without its tables', () => '{"version":1}'],
  ];

  it.each(damages)('a file that is %s gives way to its copy and is kept aside', async (_, damage) => {
    const state = await prepare();
    const bad = damage(await readFile(mainPath(), 'utf8'));
    await writeFile(mainPath(), bad);
    const store = await openStore();
    expect(store.state).toEqual(state);
    expect(store.notes).toHaveLength(1);
    const aside = 'metadata.damaged-2026-03-02T20-30-21.202946Z.json';
    expect(store.notes[0]).toContain(aside);
    expect((await contents())[aside]).toBe(bad);
    const again = await reopened(store);
    expect(again.notes).toEqual([]);
    expect(again.state).toEqual(state);
  });

  it('a missing file is restored from its copy', async () => {
    const state = await prepare();
    await rm(mainPath());
    const store = await openStore();
    expect(store.state).toEqual(state);
    expect(store.notes.join()).toContain('metadata.json was missing');
  });

  it('a damaged copy is made again without a word: nothing was lost', async () => {
    const state = await prepare();
    await writeFile(copyPath(), 'noise');
    const store = await openStore();
    expect(store.state).toEqual(state);
    await store.close();
    expect(store.notes).toEqual([]);
    expect(await readFile(copyPath(), 'utf8')).toBe(await readFile(mainPath(), 'utf8'));
  });

  it('with both damaged, both are named and nothing is touched', async () => {
    await prepare();
    await writeFile(mainPath(), '{');
    await writeFile(copyPath(), 'noise');
    const before = await contents();
    const failed: unknown = await openStore().catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'StartError', code: 'metadata-damaged' });
    expect(String(failed)).toContain(mainPath());
    expect(String(failed)).toContain(copyPath());
    expect(await contents()).toEqual(before);
  });

  it.each(['metadata.json', 'metadata.last-good.json'])(
    'a newer %s is refused and not touched',
    async (name) => {
      await prepare();
      await writeFile(mainPath(), 'noise');
      await writeFile(join(directory, name), '{"version":2,"unknown":true}');
      const before = await contents();
      const failed: unknown = await openStore().catch((error: unknown) => error);
      expect(failed).toMatchObject({ name: 'StartError', code: 'metadata-newer' });
      expect(String(failed)).toMatch(new RegExp(`${name} .*format 2.*up to 1`));
      expect(await contents()).toEqual(before);
    },
  );

  it('what an unfinished write left is removed, and noted', async () => {
    const state = await prepare();
    await writeFile(`${mainPath()}.tmp`, 'half a fi');
    const store = await openStore();
    expect(store.state).toEqual(state);
    expect(store.notes.join()).toContain('metadata.json.tmp');
    expect(await readdir(directory)).not.toContain('metadata.json.tmp');
  });

  it.each<[string, Fault]>([
    ['read-only', 'EROFS'],
    ['disk-full', 'ENOSPC'],
  ])('a new folder on a disk that is %s is refused by name', async (code, systemCode) => {
    const folder = join(directory, 'new');
    const failed: unknown = await openStore(
      filesWith((what) => (what === 'grow' ? systemCode : null)),
      folder,
    ).catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'StartError', code });
    expect(String(failed)).toContain(folder);
  });

  it('a file of another user is not taken for damage', async () => {
    await prepare();
    const failed: unknown = await openStore(filesWith((what) => (what === 'open' ? 'EACCES' : null))).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ name: 'StartError', code: 'read-only' });
    expect(String(failed)).toContain(mainPath());
  });
});

describe('with 10,000 devices', () => {
  it('all are written together and read again', async () => {
    const store = await openStore();
    await Promise.all(Array.from({ length: 10_000 }, (_, i) => store.update(addDevice(`device ${i}`))));
    const id = await store.update(addDevice('one more'));
    const again = await reopened(store);
    expect(Object.keys(again.state.devices)).toHaveLength(10_001);
    expect(again.state.devices[id]?.name).toBe('one more');
  });
});
