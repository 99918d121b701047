import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFiles } from '#core/disk/files.ts';
import { Poison } from '#core/disk/poison.ts';
import type { NewEntry } from '#core/store/log/wal/new-entry.ts';
import { CARRIED, ROWS } from '#core/store/log/wal/wal-entry.ts';
import { WalFiles } from '#core/store/log/wal/wal-files.ts';
import { Wal } from '#core/store/log/wal/wal.ts';

/* A log without room waits for its records to be carried on, which is written to that very log. */

let directory: string;

beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'fieldbench-'))));
afterEach(() => rm(directory, { recursive: true, force: true }));

test('what makes room is written though it was asked for in the moment before the log was full', async () => {
  const common = { files: nodeFiles, directory, poison: new Poison() };
  const written: string[] = [];
  const entry = (device: string, kind: number): NewEntry => ({
    device,
    kind,
    write: (out) => out.u8(1),
    apply: () => void written.push(device),
  });
  let carried: Promise<void> = Promise.resolve();
  const wal: Wal = new Wal(common, await new WalFiles(common).next(1), 1, {
    limit: 0,
    full: () => carried,
  });
  // The second is asked for as soon as the first is there, before what was stored after it.
  const carry = async () => {
    await wal.appendAlone(() => [entry('first', CARRIED)]);
    await wal.appendAlone(() => [entry('second', CARRIED)]);
  };
  carried = carry();
  const { device, kind, write, apply } = entry('stored', ROWS);
  await wal.append(device, kind, write, apply);
  expect(written).toEqual(['first', 'second', 'stored']);
  await wal.close();
});
