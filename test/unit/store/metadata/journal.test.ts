import { describe, expect, test } from 'vitest';
import { SCHEMA_VERSION } from '#core/store/metadata/metadata-schema.ts';
import { migrate } from '#core/store/metadata/file/migrations.ts';
import { BY_ITSELF } from '#core/store/trail/entry.ts';
import { Disk } from '../../../faults/disk.ts';
import { diskFiles } from '../../../faults/disk-files.ts';
import { aDevice } from '../../../suites/metadata/rows.ts';
import { diskWith, filesOf, killedAfter, metadataIn, openOn, projectsOf, toggle } from './disk-metadata.ts';

type Contents = Record<string, string>;
const JOURNAL = 'metadata.journal';
const MAIN = 'metadata.json';
const COPY = 'metadata.last-good.json';
/** Bytes from one try to the next: most of a line is what it tells the audit trail. */
const STEP = 5;

/** Opens what these files hold; answers what was found, what was said, and what is there after a stop. */
async function opened(contents: Readonly<Record<string, string | Uint8Array>>) {
  const disk = await diskWith(contents);
  const store = await openOn(diskFiles(disk));
  const projects = await projectsOf(store);
  await store.change(toggle('later'));
  await store.close();
  const notes = [...store.notes];
  const again = await openOn(diskFiles(disk));
  expect(await projectsOf(again)).toEqual([...projects, 'later']);
  expect(again.notes).toEqual([]);
  await again.close();
  return { projects, notes, files: filesOf(disk) };
}

/** The error of a start that is refused, which leaves everything as it was. */
async function refused(contents: Contents): Promise<unknown> {
  const disk = await diskWith(contents);
  const error: unknown = await openOn(diskFiles(disk)).catch((thrown: unknown) => thrown);
  expect(filesOf(disk)).toEqual(contents);
  return error;
}

/** A metadata.json as the version before the journal wrote it, with these tables in place of its own. */
function asVersion1(text = '', tables: object = {}): string {
  const { generation: _, crc: __, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify({ ...rest, version: 1, ...tables });
}

/** How many levels there are to the text at the bottom, and how long that is. */
function depthOf(value: unknown): [number, number] {
  let depth = 0;
  let inner = value;
  for (; typeof inner === 'object' && inner !== null; depth++) [inner] = Object.values(inner) as unknown[];
  return [depth, String(inner).length];
}

const linesOf = (journal = '') => journal.split(/(?<=\n)/);
const asideOf = (files: Contents, ending: string) =>
  Object.entries(files).flatMap(([name, text]) =>
    name.startsWith('metadata.damaged-') && name.endsWith(ending) ? [text] : [],
  );

describe('a service that was killed', () => {
  test('has its changes in the journal, a line each, and finds them', async () => {
    const files = await killedAfter(['a', 'b', 'a']);
    expect(linesOf(files[JOURNAL])).toHaveLength(4);
    expect(files[MAIN]).not.toContain('"name":"b"');
    const { projects, notes, files: after } = await opened(files);
    expect([projects, notes]).toEqual([['b'], []]);
    expect(metadataIn(after)).toEqual([MAIN, COPY]);
    expect(after[MAIN]).toBe(after[COPY]);
  });

  test('during an operation has written nothing anew, unless the journal is four times too long', async () => {
    const disk = new Disk();
    const store = await openOn(diskFiles(disk), 2000);
    const first = filesOf(disk)[MAIN];
    const during = { ...BY_ITSELF, isFollowed: true };
    await store.change(toggle('a', 3000), during);
    await store.change(toggle('b'), during);
    expect(filesOf(disk)[MAIN]).toBe(first);
    await store.change(toggle('c'));
    await store.change(toggle('d'), during);
    const afterwards = filesOf(disk);
    expect(afterwards[MAIN]).toContain('"name":"c"');
    expect(linesOf(afterwards[JOURNAL])).toHaveLength(2);
    await store.change(toggle('e', 30_000), during);
    await store.change(toggle('f'), during);
    expect(filesOf(disk)[MAIN]).toContain('"name":"e"');
    expect((await opened(filesOf(disk))).projects).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  test('twice goes on with the same journal', async () => {
    const files = await killedAfter(['c', 'a'], await killedAfter(['a', 'b']));
    expect(linesOf(files[JOURNAL])).toHaveLength(5);
    expect(await opened(files)).toMatchObject({ projects: ['b', 'c'], notes: [] });
  });

  test('while it appended has at any byte what was whole, and says that the rest was cut off', async () => {
    const files = await killedAfter(['a', 'b', 'a']);
    const lines = linesOf(files[JOURNAL]);
    const states = [[], ['a'], ['a', 'b'], ['b']];
    const journal = files[JOURNAL] ?? '';
    for (let bytes = lines[0]?.length ?? 0; bytes <= journal.length; bytes += STEP) {
      const cut = journal.slice(0, bytes);
      const whole = linesOf(cut).filter((line) => line.endsWith('\n')).length - 1;
      const { projects, notes, files: after } = await opened({ ...files, [JOURNAL]: cut });
      expect(projects, `${bytes} bytes`).toEqual(states[whole]);
      expect(notes, `${bytes} bytes`).toEqual(cut.endsWith('\n') ? [] : [expect.stringContaining('cut off')]);
      expect(metadataIn(after)).toEqual([MAIN, COPY]);
    }
  });

  test('between metadata.json and its next journal makes no change twice', async () => {
    const before = await killedAfter(['a', 'b', 'a']);
    const { [JOURNAL]: journal = '' } = before;
    const { files } = await opened(before);
    const store = await openOn(diskFiles(await diskWith({ ...files, [JOURNAL]: journal })));
    expect([await projectsOf(store), store.notes]).toEqual([['b', 'later'], []]);
    await store.close();
  });
});

describe('a journal that is damaged', () => {
  const changes = ['a', 'b', 'a'];

  test('in the middle, at any byte, is kept aside, and so is what came before', async () => {
    const files = await killedAfter(changes);
    const lines = linesOf(files[JOURNAL]);
    const start = (lines[0]?.length ?? 0) + (lines[1]?.length ?? 0);
    for (let at = start; at < start + (lines[2]?.length ?? 0); at += STEP) {
      const journal = Buffer.from(files[JOURNAL] ?? '');
      journal[at] = (journal[at] ?? 0) ^ 4;
      const { projects, notes, files: after } = await opened({ ...files, [JOURNAL]: journal });
      expect(projects, `byte ${at}`).toEqual(['a']);
      expect(notes.join(), `byte ${at}`).toMatch(/metadata.journal is damaged behind its change 1.*kept as/);
      expect(asideOf(after, '.journal')).toEqual([journal.toString()]);
    }
  });

  test('by a line that is missing is taken for no other', async () => {
    const files = await killedAfter(changes);
    const journal = linesOf(files[JOURNAL]).toSpliced(2, 1).join('');
    const { projects, notes } = await opened({ ...files, [JOURNAL]: journal });
    expect(projects).toEqual(['a']);
    expect(notes.join()).toContain('Changes behind the damage, which are missing: 1');
  });

  test('in its first line is kept aside whole', async () => {
    const files = await killedAfter(changes);
    const journal = `x${files[JOURNAL]?.slice(1)}`;
    const { projects, notes, files: after } = await opened({ ...files, [JOURNAL]: journal });
    expect(projects).toEqual([]);
    expect(notes.join()).toContain('it does not begin as a journal');
    expect(asideOf(after, '.journal')).toEqual([journal]);
  });

  test('with a line of another journal ends before it', async () => {
    const [files, other] = [await killedAfter(changes), await killedAfter(['x', 'y', 'z'])];
    const lines = linesOf(files[JOURNAL]).with(3, linesOf(other[JOURNAL])[3] ?? '');
    const { projects } = await opened({ ...files, [JOURNAL]: lines.join('') });
    expect(projects).toEqual(['a', 'b']);
  });
});

describe('a journal beside another metadata.json', () => {
  test('than the one it continues, which a backup brought back, is kept aside', async () => {
    const first = await killedAfter(['old']);
    const { files: backup } = await opened(first);
    const files = await killedAfter(['new'], backup);
    const {
      projects,
      notes,
      files: after,
    } = await opened({
      [MAIN]: first[MAIN] ?? '',
      [COPY]: first[COPY] ?? '',
      [JOURNAL]: files[JOURNAL] ?? '',
    });
    expect(projects).toEqual([]);
    expect(notes.join()).toContain('continues another metadata.json');
    expect(asideOf(after, '.journal')).toEqual([files[JOURNAL]]);
  });

  test('of the same number, but of another folder, is kept aside', async () => {
    const [files, other] = [await killedAfter(['mine']), await killedAfter(['theirs'])];
    const { projects, notes } = await opened({ ...files, [JOURNAL]: other[JOURNAL] ?? '' });
    expect(projects).toEqual([]);
    expect(notes.join()).toContain('continues another metadata.json');
  });

  test.each([
    ['damaged', 'noise'],
    ['missing', null],
  ])('that is %s continues its copy: nothing is lost', async (_, damage) => {
    const files = await killedAfter(['a', 'b', 'a']);
    delete files[MAIN];
    const {
      projects,
      notes,
      files: after,
    } = await opened({
      ...files,
      ...(damage !== null && { [MAIN]: damage }),
    });
    expect(projects).toEqual(['b']);
    expect(notes.join()).toContain('nothing that was confirmed is lost');
    expect(asideOf(after, '.json')).toEqual(damage === null ? [] : [damage]);
  });

  test('and copy that are missing is not taken for a new folder', async () => {
    const { [JOURNAL]: journal = '' } = await killedAfter(['a']);
    const error = await refused({ [JOURNAL]: journal });
    expect(error).toMatchObject({ name: 'StartError', code: 'metadata-damaged' });
    expect(String(error)).toContain('metadata.journal alone is not enough');
  });
});

describe('versions', () => {
  test('a newer journal is refused and not touched', async () => {
    const files = await killedAfter(['a']);
    const journal = `fieldbench-journal 2 something else\n\0\x01`;
    const error = await refused({ ...files, [JOURNAL]: journal });
    expect(error).toMatchObject({ name: 'StartError', code: 'metadata-newer' });
    expect(String(error)).toMatch(/metadata.journal .*format 2.*up to 1/);
  });

  test('a version that knows no journal refuses the folder from the first start on', async () => {
    const { files: stopped } = await opened({});
    const first = await killedAfter([]);
    for (const text of [stopped[MAIN], stopped[COPY], first[MAIN], first[COPY]])
      expect(() => migrate(JSON.parse(text ?? ''), [], 1)).toThrow(`it has format ${SCHEMA_VERSION}`);
  });

  test('a file of version 1 is written anew before anything continues it', async () => {
    const old = asVersion1((await killedAfter([]))[MAIN]);
    const after = await killedAfter([], { [MAIN]: old, [COPY]: old });
    expect(after[MAIN]).toContain(`"version":${SCHEMA_VERSION}`);
    expect(after[COPY]).toBe(after[MAIN]);
    const { projects, notes } = await opened(await killedAfter(['a'], after));
    expect([projects, notes]).toEqual([['a'], []]);
  });
});

describe('metadata.json', () => {
  test('that was changed by hand is checked, taken, and said to be so', async () => {
    const files = await killedAfter(['a', 'b']);
    const main = (files[MAIN] ?? '').replace('"Default"', '"By hand"');
    const { projects, notes, files: after } = await opened({ ...files, [MAIN]: main });
    expect(projects).toEqual(['a', 'b']);
    expect(notes.join()).toContain('is not as Fieldbench wrote it');
    expect(after[MAIN]).toContain('"By hand"');
  });

  test('that is damaged, with a copy that was changed, is not said to have lost nothing', async () => {
    const files = await killedAfter(['a']);
    const copy = (files[COPY] ?? '').replace('"Default"', '"Defaulp"');
    const { projects, notes } = await opened({ ...files, [MAIN]: 'noise', [COPY]: copy });
    expect(projects).toEqual(['a']);
    expect(notes.join()).toMatch(/metadata\.last-good\.json is not as Fieldbench wrote it/);
    expect(notes.join()).not.toContain('nothing that was confirmed is lost');
  });

  test('holds what earlier versions accepted: deeper and longer than anything today', async () => {
    const device = { ...aDevice('d', 'p'), sequence: 99 };
    const deep = `{"a":${'['.repeat(50_000)}"${'x'.repeat(200_000)}"${']'.repeat(50_000)}}`;
    const old = asVersion1((await killedAfter([]))[MAIN], {
      devices: { d: { ...device, metadata: 'DEEP' } },
    });
    const disk = await diskWith({ [MAIN]: old.replace('"DEEP"', deep) });
    for (const changes of [1, 2]) {
      const store = await openOn(diskFiles(disk));
      const found = await store.read((tables) => tables.get('devices', 'd'));
      expect(depthOf(found?.metadata)).toEqual([50_001, 200_000]);
      await store.change(toggle(`change ${changes}`));
      await store.close();
    }
  });

  test('that is too large for this process is not damage: nothing is touched', async () => {
    const files = await killedAfter(['a']);
    const disk = await diskWith(files);
    const real = diskFiles(disk);
    const large = {
      ...real,
      openForReading(path: string) {
        const file = real.openForReading(path);
        const read = () => Promise.reject(new RangeError('Array buffer allocation failed'));
        return path.endsWith(MAIN) ? { ...file, read, close: () => file.close() } : file;
      },
    };
    const error: unknown = await openOn(large).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'StartError', code: 'metadata-unreadable' });
    expect(String(error)).toContain('The file is whole');
    expect(filesOf(disk)).toEqual(files);
  });
});
