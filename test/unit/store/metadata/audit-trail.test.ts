import { assert, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openFolderMetadata } from '#core/store/metadata/file/folder-metadata.ts';
import { verifyFolder } from '#core/store/metadata/file/verify-folder.ts';
import { changedBy, type Metadata } from '#core/store/metadata/metadata.ts';
import { readEntry } from '#core/store/trail/read-line.ts';
import { systemRandom } from '#core/base/system-random.ts';
import type { Files } from '#core/disk/files.ts';
import { diskFiles } from '../../../faults/disk-files.ts';
import { Disk } from '../../../faults/disk.ts';
import { failingFiles, type Fault } from '../../../faults/failing-files.ts';
import { someRuns } from '../../../helpers/some-runs.ts';
import { expectTold } from '../../../suites/metadata/replay.ts';
import { diskWith, filesOf, FOLDER, toggle } from './disk-metadata.ts';
import { clock } from './metadata-folder.ts';

/* The audit trail of a data directory: its files, and what of it the metadata's journal has (docs/storage-format.md, "Audit trail"). */

const JOURNAL = 'metadata.journal';
const FIRST = 'audit/0000000001.ndjson';

const open = (files: Files, trail: { fullBytes?: number; mostBytes?: number } = {}) =>
  openFolderMetadata({
    directory: FOLDER,
    clock,
    chance: systemRandom,
    files,
    leastJournalBytes: 4096,
    trail,
  });

async function linesOf(metadata: Metadata): Promise<string[]> {
  const lines: string[] = [];
  for await (const { text } of metadata.trail.lines()) lines.push(text);
  return lines;
}

const verified = (disk: Disk) => verifyFolder(FOLDER, { clock, files: diskFiles(disk) });

/** Makes so many changes, and stops. */
async function stoppedAfter(count: number, fullBytes: number): Promise<Disk> {
  const disk = new Disk();
  const metadata = await open(diskFiles(disk), { fullBytes });
  for (let n = 0; n < count; n++) await metadata.change(toggle(`p${n}`, 300));
  await metadata.close();
  return disk;
}

test('a change is in the journal with its line, and a stop brings the line to a file of its own', async () => {
  const disk = new Disk();
  const killed = await open(diskFiles(disk));
  await killed.change(toggle('a'));
  const files = filesOf(disk);
  expect(Object.keys(files)).not.toContain(FIRST);
  const [line = ''] = await linesOf(killed);
  expect(files[JOURNAL]).toContain(JSON.stringify(line));
  expect(await verified(disk)).toMatchObject({ entries: 1, harmed: 0 });
  const again = await open(diskFiles(disk));
  expect(await linesOf(again)).toEqual([line]);
  await again.change(toggle('b'));
  await again.close();
  expect(filesOf(disk)[FIRST]?.split('\n')).toEqual([line, expect.any(String), '']);
  expect(await verified(disk)).toMatchObject({ entries: 2, harmed: 0, unknown: null });
});

test('what a change comes from is told, and without it the service did it by itself', async () => {
  const metadata = await open(diskFiles(new Disk()));
  await metadata.change(toggle('a'));
  const by = { kind: 'key', id: 'k', name: 'rig' } as const;
  const mine = changedBy(metadata, {
    by,
    operation: 'projects.create',
    account_id: 'a',
    reason: 'a new wing',
  });
  await mine.change(toggle('b'));
  await mine.change(() => {});
  const of = await mine.change((tables) => tables.tell({ outcome: 'begun', facts: { password: 'x', n: 1 } }));
  await mine.change((tables) => tables.tell({ outcome: 'failed', of, message: 'token: abc' }));
  const entries = (await linesOf(metadata)).map((line) => readEntry(line));
  expect(entries).toMatchObject([
    { n: 1, by: { kind: 'service' }, operation: 'service.start' },
    { n: 2, by, operation: 'projects.create', account_id: 'a', reason: 'a new wing', outcome: 'done' },
    { n: 3, by, outcome: 'begun', facts: { password: '(redacted)', n: 1 } },
    { n: 4, by, outcome: 'failed', of: 3, message: 'token: (redacted)' },
  ]);
  await metadata.close();
});

test('a change of more rows than an entry has is told in parts, all of which come to it', async () => {
  const metadata = await open(diskFiles(new Disk()));
  await metadata.change(async (tables) => {
    for (let n = 0; n < 1200; n++) await toggle(`p${n}`)(tables);
  });
  const entries = (await linesOf(metadata)).map((line) => readEntry(line));
  expect(entries.map((entry) => [entry?.part, entry?.changes?.length])).toEqual([
    [{ number: 1, of: 3 }, 500],
    [{ number: 2, of: 3 }, 500],
    [{ number: 3, of: 3 }, 200],
  ]);
  await expectTold(metadata);
  await metadata.close();
});

test('files are gone on with until they are full, and the chain goes through all of them', async () => {
  const disk = await stoppedAfter(60, 3000);
  const names = Object.keys(filesOf(disk)).filter((name) => name.startsWith('audit/'));
  expect(names.length).toBeGreaterThan(3);
  expect(await verified(disk)).toMatchObject({ entries: 60, first: 1, last: 60, harmed: 0 });
  const again = await open(diskFiles(disk), { fullBytes: 3000 });
  await again.change(toggle('later'));
  await expectTold(again);
  const back: (number | undefined)[] = [];
  for await (const { text } of again.trail.linesBack()) back.push(readEntry(text)?.n);
  expect(back).toEqual(Array.from({ length: 61 }, (_, i) => 61 - i));
  await again.close();
});

test('in memory the first files go for the sake of the last ones, and what is left is whole', async () => {
  const metadata = await open(diskFiles(new Disk()), { fullBytes: 2000, mostBytes: 6000 });
  for (let n = 0; n < 120; n++) await metadata.change(toggle(`p${n}`, 300));
  const lines = await linesOf(metadata);
  const first = readEntry(lines[0] ?? '')?.n;
  expect(first).toBe(metadata.trail.first);
  expect(first).toBeGreaterThan(20);
  expect(readEntry(lines.at(-1) ?? '')?.n).toBe(120);
  const { verifyNow } = await import('#core/store/trail/verify-now.ts');
  expect(await verifyNow(metadata.trail)).toMatchObject({ first, last: 120, harmed: 0 });
  await metadata.close();
});

const harm = record({
  what: constantFrom('byte', 'line gone', 'line twice', 'lines changed places', 'file gone', 'cut'),
  file: nat(),
  at: nat(),
});

test('whatever is done to the files of a stopped service is found and named, and stays found behind its next start', async () => {
  const disk = await stoppedAfter(40, 3000);
  const whole = filesOf(disk);
  const names = Object.keys(whole).filter((name) => name.startsWith('audit/'));
  await assert(
    asyncProperty(harm, async ({ what, file, at }) => {
      const name = names[file % names.length] ?? '';
      const lines = (whole[name] ?? '').trimEnd().split('\n');
      const i = at % lines.length;
      const line = lines[i] ?? '';
      const numbers = lines.map((text) => readEntry(text)?.n ?? 0);
      /** Any of these may be named. */
      let harmed = [numbers[i] ?? 0];
      let text: string | null = null;
      if (what === 'byte') {
        const byte = at % line.length;
        const changed = line.charCodeAt(byte) ^ 1;
        text = lines
          .with(i, line.slice(0, byte) + String.fromCharCode(changed) + line.slice(byte + 1))
          .join('\n');
      } else if (what === 'line gone') text = lines.toSpliced(i, 1).join('\n');
      else if (what === 'line twice') text = lines.toSpliced(i, 0, line).join('\n');
      else if (what === 'lines changed places') {
        const j = (i + 1) % lines.length;
        if (i === j) return;
        text = lines
          .with(i, lines[j] ?? '')
          .with(j, line)
          .join('\n');
        harmed = [numbers[i] ?? 0, numbers[j] ?? 0];
      } else if (what === 'cut') text = lines.slice(0, i).join('\n');
      else harmed = numbers;
      const { [name]: _, ...others } = whole;
      const spoiled = text === null ? others : { ...others, [name]: text === '' ? '' : `${text}\n` };
      const found = await verified(await diskWith(spoiled));
      expect(found?.harmed, what).toBeGreaterThan(0);
      const isNamed = (n: number) => found?.findings.some(({ from, to }) => from <= n && n <= to);
      expect(harmed.some(isNamed), `${what}: ${JSON.stringify(found?.findings)}`).toBe(true);
      const later = await diskWith(spoiled);
      const metadata = await open(diskFiles(later));
      await metadata.change(toggle('later'));
      await metadata.close();
      expect((await verified(later))?.harmed).toBeGreaterThan(0);
    }),
    { numRuns: someRuns(800) },
  );
}, 120_000);

describe('metadata and a trail that do not go together', () => {
  test('metadata that were set back say so in the trail, which goes on behind what it told', async () => {
    const disk = new Disk();
    const first = await open(diskFiles(disk));
    await first.change(toggle('a'));
    await first.close();
    const { 'metadata.json': main = '', 'metadata.last-good.json': copy = '' } = filesOf(disk);
    const second = await open(diskFiles(disk));
    await second.change(toggle('b'));
    await second.close();
    const old = await diskWith({ ...filesOf(disk), 'metadata.json': main, 'metadata.last-good.json': copy });
    const metadata = await open(diskFiles(old));
    expect(metadata.notes.join()).toContain(
      'The metadata are older than the audit trail, which has 2 entries',
    );
    const entries = (await linesOf(metadata)).map((line) => readEntry(line));
    expect(entries).toMatchObject([{ n: 1 }, { n: 2 }, { n: 3, operation: 'metadata.set-back' }]);
    await metadata.close();
    expect(await verified(old)).toMatchObject({ entries: 3, harmed: 0 });
  });

  test('a folder that is gone is missed, at the start and afterwards', async () => {
    const { [FIRST]: _, ...others } = filesOf(await stoppedAfter(3, 100_000));
    const disk = await diskWith(others);
    expect(await verified(disk)).toMatchObject({
      harmed: 1,
      findings: [{ harm: 'missing', from: 1, to: 3 }],
    });
    const metadata = await open(diskFiles(disk));
    expect(metadata.notes.join()).toContain('lacks the entries 1 to 3 of the audit trail');
    await metadata.change(toggle('later'));
    await metadata.close();
    expect(await verified(disk)).toMatchObject({
      entries: 1,
      harmed: 1,
      findings: [{ harm: 'missing', from: 1, to: 3 }],
    });
  });

  test('a last line that was changed stays as evidence, and the trail goes on in another file', async () => {
    const files = filesOf(await stoppedAfter(3, 100_000));
    const changed = (files[FIRST] ?? '').replace(/"p2"/g, '"p9"');
    const disk = await diskWith({ ...files, [FIRST]: changed });
    const metadata = await open(diskFiles(disk));
    expect(metadata.notes.join()).toContain('"fieldbench verify" names what is not as it was written');
    await metadata.change(toggle('later'));
    await metadata.close();
    expect(filesOf(disk)[FIRST]).toBe(changed);
    expect(await verified(disk)).toMatchObject({
      harmed: 1,
      findings: [{ harm: 'changed', from: 3, to: 3 }],
    });
  });
});

test('a disk that takes no line of the trail’s own file holds up no change, and nothing is lost', async () => {
  const disk = new Disk();
  let fault: Fault | null = 'ENOSPC';
  const files = failingFiles(diskFiles(disk), (what, path) =>
    path.includes('/audit') && what !== 'list' && what !== 'read' ? fault : null,
  );
  const metadata = await open(files);
  for (let n = 0; n < 40; n++) await metadata.change(toggle(`p${n}`, 300));
  expect(metadata.notes.join()).toContain('could not be brought up to date');
  await expectTold(metadata);
  fault = null;
  await metadata.change(toggle('later'));
  await metadata.close();
  expect(await verified(disk)).toMatchObject({ entries: 41, harmed: 0 });
  expect(Object.keys(filesOf(disk))).toContain(FIRST);
});
