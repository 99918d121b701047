import { deepStrictEqual, ok } from 'node:assert/strict';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { Files } from '#core/disk/files.ts';
import { readWhole } from '#core/disk/whole-file.ts';
import { StartError, StoreError, VaultError } from '#core/base/errors.ts';
import { Disk } from '../../faults/disk.ts';
import { memoryFiles } from '../../faults/memory-files.ts';
import { readerOf } from './door.ts';
import {
  damaged,
  FOLDER,
  heldBy,
  layOut,
  makeKnown,
  type Damage,
  type Held,
  type Image,
  type Known,
  type Moment,
} from './folder-image.ts';
import { mutation } from './mutate.ts';
import { openParts, type Parts } from './open-parts.ts';

/* Data directories that something happened to since a service wrote them. */

export interface Case {
  readonly moment: 0 | 1 | 2;
  readonly damage: readonly Damage[];
}

const damage: fc.Arbitrary<Damage> = fc.record({
  file: fc.nat(10_000),
  what: fc.oneof(
    { arbitrary: fc.constant<Damage['what']>('bytes'), weight: 7 },
    {
      weight: 3,
      arbitrary: fc.constantFrom<Damage['what']>('lines', 'remove', 'empty', 'older', 'newer'),
    },
  ),
  changes: fc.array(mutation, { minLength: 1, maxLength: 3 }),
});

export const folderCase: fc.Arbitrary<Case> = fc.record({
  // Many devices take their time.
  moment: fc.oneof(
    { arbitrary: fc.constantFrom<Case['moment']>(0, 1), weight: 9 },
    fc.constant<Case['moment']>(2),
  ),
  damage: fc.array(damage, { minLength: 1, maxLength: 3 }),
});

let made: Promise<Known> | null = null;
/** Made once for all. */
export const known = () => (made ??= makeKnown());

/** Metadata that somebody changed by hand is taken as it is, and that is said: docs/storage-format.md, "Metadata". */
const TAKEN_AS_IT_IS = /was taken as it is/;

/** Each is one that was written, and none is there more often. */
export function expectPart(found: readonly string[], written: readonly string[], what: string): void {
  const left = new Map<string, number>();
  for (const one of written) left.set(one, (left.get(one) ?? 0) + 1);
  for (const one of found) {
    const count = left.get(one) ?? 0;
    ok(count > 0, `${what} ${one} was never written, or is there twice`);
    left.set(one, count - 1);
  }
}

/** What a folder is that was damaged, and what was once in it. */
interface Told {
  readonly from: Known;
  readonly moment: Moment;
}

/** What can be read is a part of what was written; all of it, where a byte or two changed and nothing is said of it. */
function expectKnown(
  held: Held,
  parts: Parts,
  { from: { written }, moment }: Told,
  { isSmall, areRowsOther }: { readonly isSmall: boolean; readonly areRowsOther: boolean },
): void {
  for (const [at, found] of held.records.entries()) expectPart(found, written.records[at] ?? [], 'record');
  for (const [at, token] of held.tokens.entries())
    ok(token === null || token === written.tokens[at], 'token');
  if (!areRowsOther && !parts.metadataNotes.some((note) => TAKEN_AS_IT_IS.test(note)))
    expectPart(held.rows, written.rows, 'row');
  if (!isSmall) return;
  if (parts.metadataNotes.length === 0) deepStrictEqual(held.rows.toSorted(), moment.held.rows.toSorted());
  if (parts.records.recovery.length === 0) deepStrictEqual(held.records, moment.held.records);
}

/** A start that cannot be says why in a sentence. */
function expectSentence(error: unknown): void {
  const isForeseen =
    error instanceof StartError || error instanceof VaultError || error instanceof StoreError;
  if (!isForeseen) throw error;
  ok(error.message.length > 20 && !/\n\s+at |node_modules|\[object/.test(error.message), error.message);
}

/**
 * After a start that was refused nothing is gone: where the files that are still as they were damaged are put back, the next
 * one finds a part of what was written, and all of it where there was one such file.
 */
async function expectMendable(files: Files, hit: Image, told: Told): Promise<void> {
  const { image } = told.moment;
  for (const [path, bytes] of hit) {
    const now = await readWhole(files, join(FOLDER, path));
    const original = image.get(path);
    if (original && (now === null || bytes.equals(now))) await layOut(files, new Map([[path, original]]));
  }
  const parts = await openParts(files, FOLDER);
  // One that was changed by hand was written anew as it was, which only the start that did so has said.
  const areRowsOther = hit.has('metadata.json') || hit.has('metadata.last-good.json');
  const isSmall = hit.size === 1 && !areRowsOther;
  expectKnown(await heldBy(parts, told.from.devices), parts, told, { isSmall, areRowsOther });
  await parts.close();
}

/** Without any of them the metadata begins anew, with an account; what lies in data/ is kept. */
const METADATA = ['metadata.json', 'metadata.last-good.json', 'metadata.journal'];

/** Rejects with why it does not start, or why a device is not read: what a newer Fieldbench wrote of one is no other's loss. */
async function foundIn(files: Files, { devices }: Known): Promise<{ parts: Parts; held: Held }> {
  const parts = await openParts(files, FOLDER);
  try {
    return { parts, held: await heldBy(parts, devices) };
  } catch (error) {
    await parts.close();
    const isNewer = error instanceof StoreError && error.code === 'newer-format';
    throw isNewer ? error : new Error('What was opened cannot be read.', { cause: error });
  }
}

async function tryFolder({ moment: which, damage: all }: Case): Promise<void> {
  const from = await known();
  const told: Told = { from, moment: from.moments[which] };
  const { image: given, hit } = damaged(told.moment, all);
  const files = memoryFiles(new Disk(), []);
  await layOut(files, given);
  const found = await foundIn(files, from).catch((error: unknown) => {
    expectSentence(error);
    return null;
  });
  if (!found) return expectMendable(files, hit, told);
  const { parts, held } = found;
  const areRowsOther = METADATA.every((name) => !given.has(name));
  expectKnown(held, parts, told, { isSmall: all.every(isSmallDamage), areRowsOther });
  if (areRowsOther) ok(held.rows.length === 1 && held.rows[0]?.startsWith('accounts '), held.rows.join());
  await parts.close();
  const again = await openParts(files, FOLDER);
  deepStrictEqual(await heldBy(again, from.devices), held, 'the next start finds something else');
  await again.close();
}

/** Nothing is cut off whole. */
const isSmallDamage = ({ what, changes }: Damage) =>
  what === 'newer' || (what === 'bytes' && changes.every(({ kind }) => kind === 'flip' || kind === 'set'));

export const folders = readerOf('folders', folderCase, tryFolder);
