import { describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { newNoteId } from '#core/store/postgres/connection/in-doubt.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { openRecords } from './open-records.ts';

const LANE = 7;
const CHANGES = 300;
const NOTES_OF_AN_HOUR = 100_000;

test('ids of notes are UUIDs of version 7 that rise with time, with the rest by chance', async () => {
  const first = newNoteId();
  await new Promise((resolve) => setTimeout(resolve, 2));
  const later = Array.from({ length: 1000 }, newNoteId);
  expect(new Set(later).size).toBe(1000);
  for (const id of later) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(id > first).toBe(true);
  }
});

describe.skipIf(!hasPostgres)('the write-ahead log of a change', () => {
  const own = ownDatabase();

  test('does not grow with the notes of its hour, as it did while each touched a page of the index by chance', async () => {
    const { close } = await openRecords(own.url);
    await close();
    const database = await openDatabase({ url: own.url });
    const few = await bytesOfChange(database);
    await database.ask(
      `INSERT INTO outcome (lane, id, stored) SELECT ${LANE}, id, true FROM unnest($1::uuid[]) AS id`,
      [Array.from({ length: NOTES_OF_AN_HOUR }, newNoteId)],
    );
    const many = await bytesOfChange(database);
    expect(many).toBeLessThan(3 * few);
    await database.close();
  });
});

/** Bytes of the log behind a checkpoint, after which the first change of a page writes it whole. */
async function bytesOfChange(database: Database): Promise<number> {
  await database.ask('CHECKPOINT');
  const lsn = async () =>
    Number((await database.ask<{ at: string }>(`SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS at`))[0]?.at);
  const before = await lsn();
  for (let n = 0; n < CHANGES; n++)
    await database.change((transaction) => transaction.ask('SELECT 1'), { lane: LANE });
  return ((await lsn()) - before) / CHANGES;
}
