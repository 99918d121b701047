import { copyFile, readFile, stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import { openFolderMetadata } from '#core/store/metadata/file/folder-metadata.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { aDevice, allOf } from '../../../suites/metadata/rows.ts';
import { addDevice, addProject, clock, filesWith, metadataFolder, namesOf } from './metadata-folder.ts';

/* Metadata that are larger than what a stop, or a piece that is read at once, may have. */

const { openStore, path } = metadataFolder();

/** The longest of the buffers that files were read into. */
function watchingReads(): { readonly files: Files; readonly longest: () => number } {
  let longest = 0;
  const files: Files = {
    ...nodeFiles,
    openForReading(name) {
      const file = nodeFiles.openForReading(name);
      return {
        get size() {
          return file.size;
        },
        readNow: (into, at) => file.readNow(into, at),
        read(into, at) {
          longest = Math.max(longest, into.length);
          return file.read(into, at);
        },
        writeNow: (bytes, at) => file.writeNow(bytes, at),
        write: (bytes, at) => file.write(bytes, at),
        truncateNow: (size) => file.truncateNow(size),
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
  };
  return { files, longest: () => longest };
}

describe('metadata.json of any size', () => {
  test('is read a piece at a time, with lines longer than a piece', async () => {
    const first = await openStore();
    for (const length of [3 << 20, 100, 2 << 20])
      await first.change((tables) =>
        tables.insert('devices', {
          ...aDevice(`d${length}`, 'p'),
          metadata: { wave: 'ü'.repeat(length) },
        }),
      );
    await first.close();
    const before = await allOf(first);
    const { files, longest } = watchingReads();
    const again = await openStore(files);
    expect(await allOf(again)).toEqual(before);
    expect(again.notes).toEqual([]);
    expect((await stat(path('metadata.json'))).size).toBeGreaterThan(4 * longest());
  });

  test.each([
    ['is indented', (text: string) => JSON.stringify(JSON.parse(text), null, 2)],
    ['has the line ends of another system', (text: string) => text.replaceAll('\n', '\r\n')],
    ['has two things on a line', (text: string) => text.replace(',\n"projects"', ',"projects"')],
  ])('that was written by hand and %s is taken as it is', async (_, rewrite) => {
    const first = await openStore();
    await first.change(addProject('Rig'));
    await first.change(addDevice('Pump'));
    await first.close();
    const before = await allOf(first);
    const text = await readFile(path('metadata.json'), 'utf8');
    await nodeFiles.openForWriting(path('metadata.json'), true).write(Buffer.from(rewrite(text)), 0);
    const again = await openStore();
    expect(await allOf(again)).toEqual(before);
    expect(again.notes.join()).toContain('is not as Fieldbench wrote it');
  });

  test.each([
    ['lacks the comma between two things', (text: string) => text.replace('},\n"', '}\n"')],
    ['has a comma behind the last thing', (text: string) => text.replace('}\n},', '},\n},')],
    ['goes on behind its end', (text: string) => `${text}{}\n`],
    ['lacks its last line', (text: string) => text.slice(0, -2)],
  ])('that %s gives way to its copy', async (_, spoil) => {
    const first = await openStore();
    for (const name of ['one', 'two']) await first.change(addProject(name));
    await first.close();
    const text = await readFile(path('metadata.json'), 'utf8');
    await nodeFiles.openForWriting(path('metadata.json'), true).write(Buffer.from(spoil(text)), 0);
    const again = await openStore();
    expect(await namesOf(again)).toEqual(['one', 'two']);
    expect(again.notes.join()).toContain('could not be read');
  });
});

describe('a stop', () => {
  test('does not write anew what is large: the next start, and the one after it, go on with the journal', async () => {
    let made: string[] = [];
    const files = filesWith((what, name) => {
      if (what === 'make') made.push(name);
      return null;
    });
    const open = () =>
      openFolderMetadata({ directory: path(), clock, chance: systemRandom, files, mostBytesAtStop: 20_000 });
    const first = await open();
    await first.change((tables) =>
      tables.insert('devices', { ...aDevice('d', 'p'), metadata: { wave: 'x'.repeat(30_000) } }),
    );
    const expected: string[] = [];
    let store = first;
    for (const name of ['one', 'two', 'three']) {
      await store.change(addProject(name));
      expected.push(name);
      made = [];
      await store.close();
      expect(made).toEqual([]);
      store = await open();
      expect(await namesOf(store)).toEqual(expected);
      expect(store.notes).toEqual([]);
    }
    await store.close();
    // Where metadata.json is damaged, its copy goes with the same journal.
    await copyFile(path('metadata.journal'), path('metadata.json'));
    const mended = await open();
    expect(await namesOf(mended)).toEqual(expected);
    expect(mended.notes.join()).toContain('nothing that was confirmed is lost');
    await mended.close();
  });
});
