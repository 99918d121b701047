import { beforeEach, describe, expect, test } from 'vitest';
import type { KeptCorrection } from '#shared/domain/corrections.ts';
import { correctionsOf, lensesOf, lensOf } from '#core/store/metadata/lens-of.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { createMemoryMetadata } from '../../../helpers/store/memory-metadata.ts';
import { aDevice, aProject } from '../../../suites/metadata/rows.ts';

/* What the corrected view of a device is read through. */

const FLAG: KeptCorrection = { kind: 'quality', keys: null, from: 1, to: 2, quality: 'fail' };
const SHIFT: KeptCorrection = { kind: 'time', from: 1, to: 2, by: { shift: 5 } };
const after = (device_id: string, until = 9): KeptCorrection => ({ kind: 'replaced', device_id, until });

let metadata: Metadata;
beforeEach(async () => {
  metadata = createMemoryMetadata();
  await metadata.change(async (tables) => {
    await tables.insert('projects', aProject('p'));
    for (const [i, id] of ['a', 'b', 'c', 'd'].entries()) await tables.insert('devices', aDevice(id, 'p', i));
  });
});

let made = 0;
const correct = (device_id: string, what: KeptCorrection, created = 1) =>
  metadata.change((tables) =>
    tables.insert('corrections', {
      id: `correction ${made++}`,
      project_id: 'p',
      device_id,
      what,
      version: 1,
      changed: created,
      by: 'app',
      reason: '',
      created,
    }),
  );
const lens = (id: string) => lensOf(metadata, { id });

test('is nothing where nothing is corrected', async () => {
  expect([await lens('a'), await correctionsOf(metadata, { id: 'a' })]).toEqual([null, []]);
  expect(await lensesOf(metadata, 'p')).toEqual(new Map());
});

test('has the corrections in the order in which they were made, what came by a restore too', async () => {
  await correct('a', FLAG, 5);
  await correct('a', SHIFT, 5);
  await correct('a', after('gone'), 4);
  expect(await correctionsOf(metadata, { id: 'a' })).toEqual([after('gone'), FLAG, SHIFT]);
  expect(await lens('a')).toEqual({ corrections: [after('gone'), FLAG, SHIFT], formers: [] });
});

describe('has what went before', () => {
  test('each with its own corrections, and those before it', async () => {
    await correct('a', after('b', 20));
    await correct('b', after('c', 10));
    await correct('c', FLAG);
    const ofC = { corrections: [FLAG], formers: [] };
    const ofB = { corrections: [after('c', 10)], formers: [{ device: 'c', until: 10, lens: ofC }] };
    const ofA = { corrections: [after('b', 20)], formers: [{ device: 'b', until: 20, lens: ofB }] };
    expect(await lens('a')).toEqual(ofA);
    expect(await lensesOf(metadata, 'p')).toEqual(
      new Map([
        ['a', ofA],
        ['b', ofB],
        ['c', ofC],
      ]),
    );
  });

  test('but for a device of another account, whatever brought it there', async () => {
    await metadata.change(async (tables) => {
      await tables.insert('projects', aProject('theirs', 'another account'));
      await tables.insert('devices', aDevice('e', 'theirs', 5));
    });
    await correct('a', after('e'));
    await correct('a', after('b'));
    const formers = [{ device: 'b', until: 9, lens: null }];
    expect(await lens('a')).toEqual({ corrections: [after('e'), after('b')], formers });
    expect((await lensesOf(metadata, 'p')).get('a')).toEqual(await lens('a'));
  });

  test('but for a device that is deleted, once each, and never itself', async () => {
    await correct('a', after('nobody'));
    await correct('a', after('b'));
    await correct('a', after('c'));
    await correct('b', after('c', 3));
    // Two backups may bring it back.
    await correct('c', after('a'));
    const { formers = [] } = (await lens('a')) ?? {};
    const ofC = { corrections: [after('a')], formers: [] };
    expect(formers).toEqual([
      {
        device: 'b',
        until: 9,
        lens: { corrections: [after('c', 3)], formers: [{ device: 'c', until: 3, lens: ofC }] },
      },
    ]);
  });
});
