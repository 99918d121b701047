import type { Database } from '../connection/connections.ts';

/** Makes a lease that is over at once. Citus takes no moment in what an INSERT that meets a row would do. */
export const MAKE_LEASE =
  'INSERT INTO upkeep (name, holder, until) VALUES ($1, $2, now()) ON CONFLICT (name) DO NOTHING';
/** Of the notes of changes (schema-4.sql): that of this hour, that of the hour before, and one that nobody needs. */
export const PARTS = 3;
/**
 * Takes the lease of the hour: no row where another service has emptied the part, or does so just now. Nobody does from some
 * minute on, as the part may be of the present hour by the time its lock is had. The epoch of a difference, since Citus returns
 * nothing that could depend on a time zone.
 */
const CLAIM = `UPDATE upkeep SET holder = $1, until = to_timestamp((floor(extract(epoch FROM now()) / 3600)::bigint + 1) * 3600)
  WHERE name = 'notes' AND until <= now() AND extract(minute FROM now() AT TIME ZONE 'UTC') < $2
  RETURNING (extract(epoch FROM until - to_timestamp(0))::bigint / 3600) % ${PARTS} AS part`;
const FROM_MINUTE = 50;
/** A lock that is waited for makes all later ones wait behind it: here those of the questions what became of a change. */
const NO_LONG_WAIT = "SET LOCAL lock_timeout = '2s'";

/**
 * Empties the part of the notes that is of the next hour, and has notes of two hours ago: once an hour over all services.
 * Rejects where another one holds a lock on it, such as a backup: to be tried again. `fromMinute`: of the hour, from which on it is left to the next one.
 */
export function emptyOldNotes(database: Database, holder: string, fromMinute = FROM_MINUTE): Promise<void> {
  return database.change(async (transaction) => {
    await transaction.ask(MAKE_LEASE, ['notes', holder]);
    const [claimed] = await transaction.ask<{ part: number }>(CLAIM, [holder, fromMinute]);
    if (claimed)
      await transaction.askAll([{ sql: NO_LONG_WAIT }, { sql: `TRUNCATE outcome_${claimed.part}` }]);
  });
}
