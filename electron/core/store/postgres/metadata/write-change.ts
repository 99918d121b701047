import type { AnyRow } from '../../metadata/any-row.ts';
import { TABLE_NAMES, type PendingDeletion, type TableName } from '../../metadata/metadata-schema.ts';
import type { NetChange } from '../../metadata/tables/net-change.ts';
import { rowText } from '../../metadata/row-text.ts';
import type { Asker } from '../connection/connections.ts';
import { headAfter, type Head } from '../../trail/chain.ts';
import { noteNames } from './change-log.ts';
import { tellLines } from './database-trail.ts';
import type { ChangedNames } from './changed-names.ts';
import { columnsOf, idColumn } from './columns.ts';

/** Rows of one statement. */
const TOGETHER = 2_000;

/**
 * Writes what changes did, in the transaction that made them, with what the audit trail tells of it. `names` as `namesOf` returns it;
 * `trail`: the last line before.
 */
export async function writeChange(
  asker: Asker,
  { rows, weights, next_sequence, deletions, trail: lines }: NetChange,
  { names, trail }: { readonly names: ChangedNames | null; readonly trail: Head },
): Promise<void> {
  for (const table of TABLE_NAMES) {
    const changed = [...rows[table]];
    const gone = changed.filter(([, row]) => row === null).map(([id]) => idColumn(id));
    const there = changed.flatMap(([, row]) => row ?? []);
    for (const ids of inParts(gone)) await asker.ask(REMOVE, [table, ids]);
    for (const part of inParts(there)) await asker.ask(PUT, putValues(table, part));
  }
  // Notes of deletes have their place in the same order as rows.
  let next = next_sequence;
  for (const act of deletions) {
    if ('note' in act) await asker.ask(NOTE, [next++, ...named(act.note), JSON.stringify(act.note)]);
    else await asker.ask(CROSS_OUT, named(act.cross_out));
  }
  await tellLines(asker, lines, trail);
  const head = headAfter(trail, lines);
  const raised = [next, weights.all, head.n, head.hash];
  const [state] = await asker.ask<{ readonly version: number }>(RAISE, raised);
  if (!state) throw new TypeError('metadata_state has no row');
  await asker.askAll(noteNames(state.version, names));
  const changed = [...weights.projects()].map(([id, bytes]) => [idColumn(id), bytes] as const);
  for (const part of inParts(changed))
    await asker.ask(WEIGH, [part.map(([id]) => id), part.map(([, bytes]) => bytes)]);
  for (const lighter of inParts(changed.flatMap(([id, bytes]) => (bytes < 0 ? id : []))))
    await asker.ask(FORGET, [lighter]);
}

const RAISE = `UPDATE metadata_state
  SET next_sequence = $1, version = version + 1, bytes = bytes + $2, trail_n = $3, trail_hash = $4 RETURNING version`;

const WEIGH = `INSERT INTO metadata_weight (project_id, bytes)
  SELECT project_id, bytes FROM unnest($1::text[], $2::bigint[]) AS put (project_id, bytes)
  ON CONFLICT (project_id) DO UPDATE SET bytes = metadata_weight.bytes + excluded.bytes`;

/** Deletes the weight of a project without rows. */
const FORGET = 'DELETE FROM metadata_weight WHERE project_id = ANY($1::text[]) AND bytes <= 0';

const REMOVE = 'DELETE FROM metadata_row WHERE kind = $1 AND id = ANY($2::text[])';

const PUT = `INSERT INTO metadata_row (kind, id, sequence, account_id, project_id, devices, function_id, role, hash, body)
  SELECT $1, id, sequence, account_id, project_id, string_to_array(devices, ' '), function_id, role, hash, body
    FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
      AS put (id, sequence, account_id, project_id, devices, function_id, role, hash, body)
  ON CONFLICT (kind, id) DO UPDATE SET sequence = excluded.sequence, account_id = excluded.account_id,
    project_id = excluded.project_id, devices = excluded.devices, function_id = excluded.function_id,
    role = excluded.role, hash = excluded.hash, body = excluded.body`;

const NOTE = `INSERT INTO metadata_deletion (place, kind, project_id, device_id, body)
  VALUES ($1, $2, $3, $4, $5)`;

/** A project without devices has none that names it. */
const CROSS_OUT = `DELETE FROM metadata_deletion
  WHERE kind = $1 AND project_id = $2 AND device_id IS NOT DISTINCT FROM $3::text`;

function putValues(table: TableName, rows: readonly AnyRow[]): unknown[] {
  const columns = rows.map(columnsOf);
  const column = <Name extends keyof (typeof columns)[number]>(name: Name) =>
    columns.map((each) => each[name]);
  return [
    table,
    column('id'),
    column('sequence'),
    column('account_id'),
    column('project_id'),
    column('devices'),
    column('function_id'),
    column('role'),
    column('hash'),
    rows.map(rowText),
  ];
}

function named({ kind, project_id, device_ids }: PendingDeletion): (string | null)[] {
  const [first] = device_ids;
  return [kind, idColumn(project_id), first === undefined ? null : idColumn(first)];
}

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += TOGETHER) yield all.slice(from, from + TOGETHER);
}
