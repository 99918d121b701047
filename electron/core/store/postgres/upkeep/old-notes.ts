import type { Database } from '../connection/connections.ts';

/** Of the notes of changes (schema-4.sql): that of this hour, that of the hour before, and one that nobody needs. */
export const PARTS = 3;
/** The lease of the hour: it has no row where another service has emptied the part, or does so just now. */
const CLAIM = `INSERT INTO upkeep (name, holder, until)
  SELECT 'notes', $1, to_timestamp((hour + 1) * 3600) FROM (SELECT floor(extract(epoch FROM now()) / 3600)::bigint AS hour) AS time
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE upkeep.until <= now()
  RETURNING (extract(epoch FROM until)::bigint / 3600) % ${PARTS} AS part`;
/** Whoever waits for a lock on a table makes all others wait behind it. */
const NO_WAIT = "SET LOCAL lock_timeout = '500ms'";

/**
 * Empties the part of the notes that is of the next hour, and has notes of two hours ago: once an hour over all services.
 * Rejects where another one holds a lock on it, such as a backup: to be tried again.
 */
export function emptyOldNotes(database: Database, holder: string): Promise<void> {
  return database.change(async (transaction) => {
    const [claimed] = await transaction.ask<{ part: number }>(CLAIM, [holder]);
    if (claimed) await transaction.askAll([{ sql: NO_WAIT }, { sql: `TRUNCATE outcome_${claimed.part}` }]);
  });
}
