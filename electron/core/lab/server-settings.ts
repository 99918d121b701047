import { StartError } from '../base/errors.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { Database } from '../store/postgres/connection/connections.ts';

/** Settings of a server that matter to stored records. */
export interface ServerSettings {
  readonly version: string;
  readonly fsync: string;
  readonly synchronous_commit: string;
  /** The standbys that a change waits for; empty for none. */
  readonly synchronous_standby_names: string;
  readonly full_page_writes: string;
  readonly data_checksums: string;
}

const ASKED = `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('synchronous_standby_names') AS synchronous_standby_names,
  current_setting('full_page_writes') AS full_page_writes, current_setting('data_checksums') AS data_checksums`;

/** Rejects with StoreError. */
export async function readServerSettings(database: Database): Promise<ServerSettings> {
  const [found] = await database.ask<Record<keyof ServerSettings, string>>(ASKED);
  if (!found) throw new TypeError('the server has no settings');
  return found;
}

/** Why what the server acknowledges could be lost, for people to read; null where it is kept. */
export function whyNotDurable(
  { fsync, synchronous_commit }: ServerSettings,
  database: Pick<Database, 'name'>,
): string | null {
  const isOff = (name: string) =>
    `The database ${database.name} runs with ${name} = off: what it says is stored may be lost in a crash, and a device is told that it is kept. Set ${name} = on there.`;
  if (fsync === 'off') return isOff('fsync');
  return synchronous_commit === 'off' ? isOff('synchronous_commit') : null;
}

/** Rejects with StartError where what is accepted would not be durable; with StoreError. */
export async function requireDurable(database: Database): Promise<void> {
  const why = whyNotDurable(await readServerSettings(database), database);
  if (why !== null) throw new StartError('bad-flag', why);
}

/** Resolves with the ms that this machine's clock is ahead of the database's, halfway between question and answer. */
export async function clockSkew(
  database: Database,
  now: () => number = machineClock.wallMs,
): Promise<number> {
  const asked = now();
  const [found] = await database.ask<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms',
  );
  return (asked + now()) / 2 - (found?.ms ?? 0);
}

/** Returns the note on a clock so many ms ahead, by default this machine's, for people to read; null where it is right. */
export function skewNote(skew: number, whose = 'this machine'): string | null {
  if (!isOff(skew)) return null;
  const seconds = (Math.abs(skew) / 1000).toFixed(1);
  return `The clock of ${whose} is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the database's: records without a time of their own that come to it get its time, and keys expire there by it. Set all by the same time server.`;
}

/** Whether a clock is further from the database's than may be, so many ms ahead of it. */
export const isOff = (skew: number) => Math.abs(skew) > MOST_SKEW_MS;

const MOST_SKEW_MS = 1000;
