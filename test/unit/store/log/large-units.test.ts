import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import { openFileWith } from '#core/disk/open-file-with.ts';
import { Poison } from '#core/disk/poison.ts';
import { UnitBytes } from '#core/store/log/wal/unit.ts';
import { ROWS } from '#core/store/log/wal/wal-entry.ts';
import { WalFiles, type WalFile } from '#core/store/log/wal/wal-files.ts';
import { readWal } from '#core/store/log/wal/wal-format.ts';
import { Wal } from '#core/store/log/wal/wal.ts';

/* A large upload goes into the log with one sync, but not in one turn. */

const BLOCK_BYTES = 1 << 18;
const block = (fill: number) => Buffer.alloc(BLOCK_BYTES, fill);

let directory: string;

beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'fieldbench-'))));
afterEach(() => rm(directory, { recursive: true, force: true }));

async function openLog(files: Files = nodeFiles): Promise<{ wal: Wal; file: WalFile }> {
  const common = { files, directory, poison: new Poison() };
  const file = await new WalFiles(common).next(1);
  return { file, wal: new Wal(common, file, 1, { limit: Infinity, full: () => Promise.resolve() }) };
}

/** Files that tell of each write before they do it. */
function filesThat(told: { writeNow?(bytes: Uint8Array): void; write?(bytes: Uint8Array): void }): Files {
  return {
    ...nodeFiles,
    openForWriting(path, create, mode) {
      const file = nodeFiles.openForWriting(path, create, mode);
      return openFileWith(file, {
        writeNow(bytes, position) {
          told.writeNow?.(bytes);
          file.writeNow(bytes, position);
        },
        async write(bytes, position) {
          told.write?.(bytes);
          await file.write(bytes, position);
        },
      });
    },
  };
}

function append(wal: Wal, device: string, blocks: readonly Buffer[]): Promise<void> {
  return wal.append(
    device,
    ROWS,
    (out) => {
      for (const bytes of blocks) out.raw(bytes);
    },
    () => undefined,
  );
}

/** How many turns the event loop takes until then. */
async function countTurns(over: AbortSignal): Promise<number> {
  for (let turns = 0; ; turns++) {
    if (over.aborted) return turns;
    await setImmediate();
  }
}

async function found({
  path,
  salt,
}: WalFile): Promise<[device: string, sequence: number, payload: Buffer][]> {
  const report = readWal(await readFile(path), salt);
  expect(report).toMatchObject({ torn: 0, damaged: 0 });
  return Array.from(report.entries, (entry) => [
    entry.device,
    entry.sequence,
    entry.reader().raw(entry.length),
  ]);
}

test('it is written in many turns, whole, and between what came before and after it', async () => {
  const { wal, file } = await openLog();
  const blocks = Array.from({ length: 96 }, (_, i) => block(i));
  const small = (fill: number) => [Buffer.alloc(10, fill)];
  const over = new AbortController();
  const counting = countTurns(over.signal);
  await Promise.all([
    append(wal, 'before', small(1)),
    append(wal, 'large', blocks),
    append(wal, 'after', small(2)),
  ]);
  over.abort();
  expect(await counting).toBeGreaterThan(48);
  await wal.close();
  const entries = await found(file);
  expect(entries.slice(0, 3).map(([device, sequence]) => [device, sequence])).toEqual([
    ['before', 1],
    ['large', 2],
    ['after', 3],
  ]);
  expect(Buffer.concat(blocks).equals(entries[1]![2])).toBe(true);
});

test('no piece of it is written in a turn of its own that is larger than 1 MiB', async () => {
  let written = 0;
  const { wal } = await openLog(filesThat({ writeNow: (bytes) => void (written += bytes.length) }));
  await append(
    wal,
    'large',
    Array.from({ length: 64 }, (_, i) => block(i)),
  );
  await wal.close();
  expect(written).toBeLessThan(1 << 20);
});

test('one that the disk takes only in part counts as none, and the next one is found in its place', async () => {
  let writes = 0;
  const files = filesThat({
    write() {
      // Beyond the room that is made for it, in the middle of its bytes.
      if (++writes === 100) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    },
  });
  const { wal, file } = await openLog(files);
  const large = Array.from({ length: 64 }, (_, i) => block(i));
  await append(wal, 'before', [block(1)]);
  await expect(append(wal, 'large', large)).rejects.toMatchObject({ code: 'disk-full' });
  expect(writes).toBe(100);
  await append(wal, 'after', [block(2)]);
  await wal.close();
  expect((await found(file)).map(([device, sequence]) => [device, sequence])).toEqual([
    ['before', 1],
    ['after', 2],
  ]);
});

test('an entry that cannot be written leaves those around it as they are, large or not', async () => {
  const { wal, file } = await openLog();
  const large = Array.from({ length: 8 }, (_, i) => block(i));
  const all = [
    append(wal, 'first', large),
    wal.append(
      'broken',
      ROWS,
      (out) => {
        for (const bytes of large) out.raw(bytes);
        throw new Error('broken');
      },
      () => undefined,
    ),
    append(wal, 'last', large),
  ];
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await wal.close();
  const entries = await found(file);
  expect(entries.map(([device]) => device)).toEqual(['first', 'last']);
  for (const [, , payload] of entries) expect(payload.equals(Buffer.concat(large))).toBe(true);
});

test('its memory takes another unit, without anything of it', async () => {
  const unit = new UnitBytes();
  for (let i = 0; i < 16; i++) unit.raw(block(i));
  expect(unit.isLarge).toBe(true);
  unit.start();
  unit.u8(7);
  await unit.finish(1, 1, 1);
  expect([...unit.pieces()].map((piece) => piece.length)).toEqual([unit.total]);
  expect(unit.total).toBe(32 + 1 + 32);
});
