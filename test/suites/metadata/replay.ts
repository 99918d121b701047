import { expect } from 'vitest';
import { TABLE_NAMES, type PendingDeletion } from '#core/store/metadata/metadata-schema.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { withActs, type DeletionAct } from '#core/store/metadata/tables/net-change.ts';
import { readEntry } from '#core/store/trail/read-line.ts';
import { redactFields } from '#core/store/trail/redact.ts';
import { verifyNow } from '#core/store/trail/verify-now.ts';

type Fields = Readonly<Record<string, unknown>>;
type Rows = Record<string, Record<string, Fields>>;

/** What an audit trail says that there is: rows by table and id, and deletes under way. */
async function replayed(metadata: Metadata): Promise<{ rows: Rows; deletions: readonly PendingDeletion[] }> {
  const rows: Rows = {};
  let deletions: readonly PendingDeletion[] = [];
  for await (const { text, place } of metadata.trail.lines()) {
    const entry = readEntry(text);
    if (!entry) throw new Error(`${place} is no entry`);
    for (const { table, id, before, after } of entry.changes ?? []) {
      const ofTable = (rows[table] ??= {});
      const was = ofTable[id];
      expect(before === null, `${place}: ${table} ${id}`).toBe(was === undefined);
      if (before) expect(was).toMatchObject(before);
      if (after === null) delete ofTable[id];
      else {
        const stays = Object.entries(was ?? {}).filter(([name]) => !(name in (before ?? {})));
        ofTable[id] = { ...Object.fromEntries(stays), ...after };
      }
    }
    deletions = withActs(deletions, (entry.deletions ?? []) as readonly DeletionAct[]);
  }
  return { rows, deletions };
}

/** What there is, as a trail says it; without what was there before the first line. */
async function told(metadata: Metadata): Promise<{ rows: Rows; deletions: readonly PendingDeletion[] }> {
  return metadata.read(async (tables) => {
    const { default_account_id } = await tables.settings();
    const rows: Rows = {};
    for (const table of TABLE_NAMES)
      for (const row of await tables.list(table)) {
        if (row.id === default_account_id) continue;
        const { rows: _rows, trimmed: _trimmed, ...kept } = { rows: null, trimmed: null, ...row };
        (rows[table] ??= {})[row.id] = redactFields(kept);
      }
    return { rows, deletions: await tables.deletions() };
  });
}

/** The audit trail is whole, and what it tells comes to what there is. */
export async function expectTold(metadata: Metadata): Promise<void> {
  expect(await verifyNow(metadata.trail)).toMatchObject({ harmed: 0, findings: [] });
  const { rows, deletions } = await replayed(metadata);
  const is = await told(metadata);
  const filled = Object.fromEntries(Object.entries(rows).filter(([, some]) => Object.keys(some).length > 0));
  expect({ rows: filled, deletions }).toEqual(is);
}
