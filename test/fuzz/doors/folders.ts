import { deepStrictEqual, ok } from 'node:assert/strict';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { Files } from '#core/disk/files.ts';
import { readWhole } from '#core/disk/whole-file.ts';
import { StartError, StoreError, VaultError } from '#core/errors.ts';
import { Disk } from '../../faults/disk.ts';
import { memoryFiles } from '../../faults/memory-files.ts';
import { readerOf } from './door.ts';
import { damaged, FOLDER, layOut, makeKnown, type Damage, type Image, type Known } from './folder-image.ts';
import { mutation } from './mutate.ts';
import { openParts, textsOf, type Parts } from './open-parts.ts';

/* Data directories that something happened to since a service wrote them. */

export interface Case {
  readonly image: 0 | 1;
  readonly damage: readonly Damage[];
}

const damage: fc.Arbitrary<Damage> = fc.record({
  file: fc.nat(10_000),
  what: fc.oneof(
    { arbitrary: fc.constant('bytes' as const), weight: 9 },
    fc.constantFrom('remove' as const, 'empty' as const, 'older' as const),
  ),
  changes: fc.array(mutation, { minLength: 1, maxLength: 3 }),
});

export const folderCase: fc.Arbitrary<Case> = fc.record({
  image: fc.constantFrom(0 as const, 1 as const),
  damage: fc.array(damage, { minLength: 1, maxLength: 3 }),
});

let made: Promise<Known> | null = null;
/** Made once for all. */
export const known = () => (made ??= makeKnown());

/** Metadata that somebody changed by hand is taken as it is, and that is said: docs/storage-format.md, "Metadata". */
const TAKEN_AS_IT_IS = /was taken as it is/;

interface Held {
  readonly rows: readonly string[];
  readonly tokens: readonly (string | null)[];
  readonly records: readonly (readonly string[])[];
}

async function heldBy(parts: Parts, { tokens, records }: Known): Promise<Held> {
  return {
    rows: await parts.rows(),
    tokens: await Promise.all(tokens.map(({ ref }) => parts.vault.get(ref))),
    records: await Promise.all([...records.keys()].map((device) => textsOf(parts.records, device))),
  };
}

/** Each is one that was written, and none is there more often. */
export function expectPart(found: readonly string[], written: readonly string[], what: string): void {
  const left = [...written];
  for (const one of found) {
    const at = left.indexOf(one);
    ok(at >= 0, `${what} ${one} was never written, or is there twice`);
    left.splice(at, 1);
  }
}

/** What can be read is a part of what was written; all of it, where a byte or two changed and nothing is said of it. */
function expectKnown(
  held: Held,
  parts: Parts,
  from: Known,
  { isSmall, isRewritten = false }: { readonly isSmall: boolean; readonly isRewritten?: boolean },
): void {
  const [...devices] = from.records.values();
  for (const [at, found] of held.records.entries()) expectPart(found, devices[at] ?? [], 'record');
  for (const [at, token] of held.tokens.entries())
    ok(token === null || token === from.tokens[at]?.token, 'token');
  if (!isRewritten && !parts.metadataNotes.some((note) => TAKEN_AS_IT_IS.test(note)))
    expectPart(held.rows, from.rows, 'row');
  if (!isSmall) return;
  if (parts.metadataNotes.length === 0) deepStrictEqual(held.rows.toSorted(), from.rows.toSorted());
  if (parts.records.recovery.length === 0) deepStrictEqual(held.records, devices);
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
async function expectMendable(files: Files, hit: Image, whole: Image, from: Known): Promise<void> {
  for (const [path, bytes] of hit) {
    const now = await readWhole(files, join(FOLDER, path));
    const original = whole.get(path);
    if (original && (now === null || bytes.equals(now))) await layOut(files, new Map([[path, original]]));
  }
  const parts = await openParts(files, FOLDER);
  // One that was changed by hand was written anew as it was, which only the start that did so has said.
  const isRewritten = hit.has('metadata.json') || hit.has('metadata.last-good.json');
  const isSmall = hit.size === 1 && !isRewritten && whole === from.images[0];
  expectKnown(await heldBy(parts, from), parts, from, { isSmall, isRewritten });
  await parts.close();
}

async function tryFolder({ image, damage: all }: Case): Promise<void> {
  const from = await known();
  const [whole, older] = image === 0 ? from.images : from.images.toReversed();
  if (!whole || !older) throw new Error('There are no directories to damage.');
  // The stopped directory holds half of it.
  const { image: given, hit } = damaged(whole, older, all);
  const isSmall =
    image === 0 &&
    all.every(({ what, changes }) => what === 'bytes' && changes.every(({ kind }) => SMALL.has(kind)));
  const files = memoryFiles(new Disk(), []);
  await layOut(files, given);
  let parts: Parts;
  try {
    parts = await openParts(files, FOLDER);
  } catch (error) {
    expectSentence(error);
    return expectMendable(files, hit, whole, from);
  }
  const held = await heldBy(parts, from);
  expectKnown(held, parts, from, { isSmall });
  await parts.close();
  const again = await openParts(files, FOLDER);
  deepStrictEqual(await heldBy(again, from), held, 'the next start finds something else');
  await again.close();
}

const SMALL = new Set(['flip', 'set']);

export const folders = readerOf('folders', folderCase, tryFolder);
