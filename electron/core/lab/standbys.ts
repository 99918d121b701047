import { countOf } from '#shared/values/counts.ts';
import type { Database } from '../store/postgres/connection/connections.ts';
import type { ServerSettings } from './server-settings.ts';

/** A server that follows the primary. */
export interface Standby {
  readonly name: string;
  /** `async`, `potential`, `sync` or `quorum`; null where the user may not see it. */
  readonly sync: string | null;
  /** Bytes of the log that it has not replayed; null where it has none yet, or the user may not see it. */
  readonly lag: number | null;
}

/** Four files of the log. */
const MOST_LAG = 64 * 2 ** 20;
/** For these a change waits (https://www.postgresql.org/docs/current/monitoring-stats.html, pg_stat_replication). */
const WAITED_FOR = new Set<string | null>(['sync', 'quorum']);

/** Values of synchronous_commit without waiting for a standby's disk, and with it. */
const NOT_WAITING = new Set(['off', 'local']);
const ON_ITS_DISK = new Set(['on', 'remote_apply']);

/** Rejects with StoreError. */
export function standbysOf(database: Database): Promise<readonly Standby[]> {
  return database.ask<{ name: string; sync: string | null; lag: number | null }>(
    `SELECT application_name AS name, sync_state AS sync,
            pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint AS lag
       FROM pg_stat_replication ORDER BY application_name`,
  );
}

/** Returns the state of a standby, for people to read. */
export function standbyLine({ name, sync, lag }: Standby): string {
  if (sync === null) return `  ${name}: how it follows is hidden from this user.`;
  return `  ${name}: ${sync}, ${lag === null ? 'nothing replayed yet' : `${countOf(lag, 'byte')} behind`}.`;
}

/** Why nothing can be stored, where every change waits for a standby that is not there; else null. */
export function nobodyToWaitFor(
  { synchronous_standby_names: names, synchronous_commit }: ServerSettings,
  standbys: readonly Standby[],
): string | null {
  if (names === '' || NOT_WAITING.has(synchronous_commit)) return null;
  if (standbys.some(({ sync }) => sync === null || WAITED_FOR.has(sync))) return null;
  return `Every change waits for a synchronous standby (synchronous_standby_names = '${names}'), and none is connected: nothing can be stored. Start the standby, or empty that setting and reload.`;
}

/** Returns remarks on the standbys, a sentence each. */
export function standbyRemarks(
  { synchronous_standby_names: names, synchronous_commit }: ServerSettings,
  standbys: readonly Standby[],
): readonly string[] {
  if (standbys.some(({ sync }) => sync === null))
    return [
      'How the standbys follow is hidden from this user: GRANT pg_read_all_stats TO it, or check as another one.',
    ];
  const remarks = standbys
    .filter(({ lag }) => lag !== null && lag > MOST_LAG)
    .map(
      ({ name, lag }) => `The standby ${name} is ${countOf(lag ?? 0, 'byte')} behind: see to its machine.`,
    );
  if (names === '')
    remarks.push(
      'No standby is synchronous: where the disk of this server is lost, so is what is newer than the last backup.',
    );
  else if (!ON_ITS_DISK.has(synchronous_commit))
    remarks.push(
      `synchronous_commit is ${synchronous_commit}: a change is acknowledged before the synchronous standby has it on its disk. Set it to on.`,
    );
  return remarks;
}
