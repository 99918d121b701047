import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  bringSecrets,
  finishRecords,
  finishRest,
  type Finisher,
} from '#core/api/snapshots/finish-snapshot.ts';
import { savedRows } from '#core/api/snapshots/world-rows.ts';
import { SCHEMA_VERSION } from '#core/store/metadata/metadata-schema.ts';
import { checkRow } from '#core/store/metadata/metadata-text.ts';
import { createMemoryMetadata } from '../../helpers/store/memory-metadata.ts';
import { aDevice } from '../../suites/metadata/rows.ts';

/* How a restore of a snapshot ends. */

const NOTE = { kind: 'snapshot', project_id: 's', device_ids: ['mark'] } as const;
const THEN = savedRows({ devices: [aDevice('d', 'p')] });

/** A restore that is decided, and whose vault answers as asked. */
async function decided(get: () => Promise<string | null>) {
  const metadata = createMemoryMetadata();
  await metadata.change((tables) => tables.noteDeletion(NOTE));
  const snapshots = { restore: () => Promise.resolve([]), restored: () => undefined };
  const context = { metadata, worlds: { snapshots }, vault: { get } } as unknown as Finisher;
  const noted = () => metadata.read((tables) => tables.deletions());
  return { context, noted, secrets: bringSecrets('s', THEN, context.vault, null) };
}

test('it is over with the records where secrets are back by then', async () => {
  const { context, noted, secrets } = await decided(() => Promise.resolve(null));
  await turn();
  expect(await finishRecords(NOTE, THEN, context, secrets)).toEqual({ devices: [], isOver: true });
  expect(await noted()).toEqual([]);
});

test('where secrets come later it stays noted until they are back', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const { context, noted, secrets } = await decided(() => promise);
  expect(await finishRecords(NOTE, THEN, context, secrets)).toEqual({ devices: [], isOver: false });
  expect(await noted()).toEqual([{ ...NOTE, device_ids: [] }]);
  resolve(null);
  await finishRest('s', THEN, context, secrets);
  expect(await noted()).toEqual([]);
});

test('where secrets cannot be brought back it stays noted, and says why', async () => {
  const { context, noted, secrets } = await decided(() => Promise.reject(new Error('the vault is shut')));
  expect(await finishRecords(NOTE, THEN, context, secrets)).toMatchObject({ isOver: false });
  await expect(finishRest('s', THEN, context, secrets)).rejects.toThrow('the vault is shut');
  expect(await noted()).toEqual([{ ...NOTE, device_ids: [] }]);
});

test('a delete that is to be settled keeps it noted, too', async () => {
  const kept = { id: 'k', state: 'keeping', records: null, rows: {} };
  const then = savedRows({ kept_deletes: [kept] });
  const { context, noted, secrets } = await decided(() => Promise.resolve(null));
  await turn();
  expect(await finishRecords(NOTE, then, context, secrets)).toMatchObject({ isOver: false });
  expect(await noted()).toEqual([{ ...NOTE, device_ids: [] }]);
});

test('rows that this version of the schema has saved are not checked again, those of another one are', () => {
  const [own, other] = [SCHEMA_VERSION, SCHEMA_VERSION - 1].map((schema) => {
    const { projects } = savedRows({ schema, projects: [{ id: 'p', sequence: 1 }] });
    return () => checkRow('projects', projects[0]!);
  });
  expect(own).not.toThrow();
  expect(other).toThrow('projects.account_id');
});
