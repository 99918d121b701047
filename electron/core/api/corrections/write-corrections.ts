import { isDeepStrictEqual } from 'node:util';
import { MOST_CORRECTIONS, MOST_FORMER_VERSIONS, type KeptCorrection } from '#shared/domain/corrections.ts';
import { badRequest } from '../../base/errors.ts';
import type {
  FormerVersion,
  Row,
  StoredCorrection,
  StoredDevice,
} from '../../store/metadata/metadata-schema.ts';
import type { Tables, WritableTables } from '../../store/metadata/metadata.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { authorOf } from '../principal.ts';
import { checkCorrection } from './check-correction.ts';

/*
 * Corrections are made, changed and removed in a change of the metadata, and each version that another one takes the place of goes
 * to the history by the same change: one that was never changed costs one row.
 */

/** What a correction says, and why. */
export interface Said {
  readonly what: KeptCorrection;
  /** "" for none. */
  readonly reason: string;
}

/** Author of a version, its time, and the source of ids. */
export interface Writer {
  readonly by: string;
  readonly now: number;
  readonly newId: () => string;
  /** By whose rights others are looked at; null: of a backup, whose corrections were checked where they were made. */
  readonly principal: Principal | null;
}

/** Resolves with who writes, in a change. Rejects with a 401 Refusal as `authorOf`. */
export async function writerOf(
  principal: Principal,
  account_id: string,
  tables: Tables,
  { clock, chance }: Pick<Context, 'clock' | 'chance'>,
): Promise<Writer> {
  const own = chance.of(account_id);
  const by = await authorOf(principal, tables, { clock });
  return { by, now: clock.now(), newId: () => own.uuid(), principal };
}

/** Makes a correction, or one again that was removed: then in its old place. Rejects with a 400 Refusal. */
export async function createCorrection(
  tables: WritableTables,
  device: Pick<StoredDevice, 'id' | 'project_id'>,
  { id, what, reason }: Said & { readonly id: string },
  writer: Writer,
): Promise<StoredCorrection> {
  const device_id = device.id;
  const { by, now, principal } = writer;
  if (principal) {
    if ((await tables.count('corrections', { device_id })) >= MOST_CORRECTIONS)
      throw badRequest(`a device holds at most ${MOST_CORRECTIONS} corrections; delete some first`);
    await checkCorrection(tables, device, { id, what }, principal);
  }
  const { project_id } = device;
  const row = { id, project_id, device_id, what, version: 1, changed: now, by, reason, created: now };
  const last = await lastVersion(tables, device_id, id);
  if (!last) return tables.insert('corrections', row);
  const again: StoredCorrection = {
    ...row,
    version: last.version + 1,
    created: last.first,
    sequence: last.place,
  };
  await tables.putBack('corrections', again);
  return again;
}

/** Makes a new version of a correction; the one that says the same already stays. Rejects with a 400 Refusal. */
export async function changeCorrection(
  tables: WritableTables,
  row: StoredCorrection,
  { what, reason }: Said,
  writer: Writer,
): Promise<StoredCorrection> {
  if (row.reason === reason && isDeepStrictEqual(row.what, what)) return row;
  const { by, now: changed, principal } = writer;
  const change = { id: row.id, what, before: row.what };
  if (principal) await checkCorrection(tables, { id: row.device_id }, change, principal);
  await keepVersions(tables, [formerOf(row, writer)], row.device_id);
  const fields = { what, reason, by, changed, version: row.version + 1 };
  const after = await tables.patch('corrections', row.id, fields);
  if (!after) throw new TypeError('the correction is gone');
  return after;
}

/** Removes a correction, which stays in the history. Rejects with a 400 Refusal. */
export async function removeCorrection(
  tables: WritableTables,
  row: StoredCorrection,
  reason: string,
  writer: Writer,
): Promise<void> {
  const { by, now: changed } = writer;
  const removal = { ...formerOf(row, writer), what: null, version: row.version + 1, by, changed, reason };
  await keepVersions(tables, [formerOf(row, writer), removal], row.device_id);
  await tables.remove('corrections', row.id);
}

type NewVersion = Omit<FormerVersion, 'sequence'>;

function formerOf(row: StoredCorrection, { now, newId }: Writer): NewVersion {
  const { id: correction_id, created: first, sequence: place, ...version } = row;
  return { ...version, id: newId(), correction_id, first, place, created: now };
}

async function keepVersions(
  tables: WritableTables,
  versions: readonly NewVersion[],
  device_id: string,
): Promise<void> {
  const count = await tables.count('correction_history', { device_id });
  if (count + versions.length > MOST_FORMER_VERSIONS)
    throw badRequest(
      `the history of a device's corrections holds at most ${MOST_FORMER_VERSIONS} former versions, and has ${count}: nothing of it is ever removed, so its corrections stay as they are`,
    );
  for (const version of versions) await tables.insert('correction_history', version);
}

/** The last version of a correction in the history; null where it was never changed. */
async function lastVersion(
  tables: Tables,
  device_id: string,
  correction_id: string,
): Promise<Row<'correction_history'> | null> {
  const rows = await tables.list('correction_history', { device_id });
  return rows.reduce<FormerVersion | null>(
    (last, row) => (row.correction_id === correction_id && row.version >= (last?.version ?? 0) ? row : last),
    null,
  );
}
