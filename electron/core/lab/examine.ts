import { countOf } from '#shared/values/counts.ts';
import type { Database } from '../store/postgres/connection/connections.ts';
import { sqlState } from '../store/postgres/connection/database-errors.ts';
import { LATEST } from '../store/postgres/schema/migrate.ts';
import { newerFormat } from '../store/store-errors.ts';
import { livingServices } from './heartbeat.ts';
import { nobodyToWaitFor, standbyLine, standbyRemarks, standbysOf } from './standbys.ts';
import { upkeepOf } from './upkeep.ts';
import { clockSkew, readServerSettings, skewNote, whyNotDurable } from './server-settings.ts';

/** Examination of a lab's database, for its operator. */
export interface LabExamination {
  /** How it is, a line each. */
  readonly facts: readonly string[];
  /** Faults to be mended, a sentence each. */
  readonly faults: readonly string[];
  /** Remarks that are no faults. */
  readonly remarks: readonly string[];
}

/** Examines a lab's database, changing nothing. Rejects with StoreError where it does not answer. */
export async function examineLab(database: Database): Promise<LabExamination> {
  const settings = await readServerSettings(database);
  const skew = await clockSkew(database);
  const standbys = await standbysOf(database);
  const services = await servicesOf(database);
  const version = await schemaVersion(database);
  const room = await connectionsOf(database);
  const upkeep = version === LATEST ? await upkeepOf(database) : { facts: [], faults: [] };
  return {
    facts: [
      `Database ${database.name}: PostgreSQL ${settings.version}.`,
      `fsync ${settings.fsync}, synchronous_commit ${settings.synchronous_commit}, full_page_writes ${settings.full_page_writes}, data_checksums ${settings.data_checksums}.`,
      version === null ? 'No service has used it yet.' : `Its schema has version ${version}.`,
      `The clock of this machine is ${Math.round(Math.abs(skew))} ms ${skew > 0 ? 'ahead of' : 'behind'} its clock.`,
      standbys.length === 0 ? 'It has no standby.' : `It has ${countOf(standbys.length, 'standby')}.`,
      ...standbys.map(standbyLine),
      `${countOf(services.length, 'service')} give signs of life${services.length === 0 ? '' : `: ${services.map(({ name }) => name).join(', ')}`}.`,
      `${room.used} of ${room.most} connections are used.`,
      ...upkeep.facts,
    ],
    faults: [
      whyNotDurable(settings, database),
      nobodyToWaitFor(settings, standbys),
      version !== null && version > LATEST
        ? newerFormat(`The database ${database.name}`, version, LATEST).message
        : null,
      skewNote(skew),
      ...services.map(({ name, aheadMs }) => skewNote(aheadMs, `the service ${name}`)),
      room.used > 0.9 * room.most
        ? `Nearly all connections are used. Raise max_connections, or run fewer services: each takes up to ${CONNECTIONS}.`
        : null,
      ...upkeep.faults,
    ].filter((fault) => fault !== null),
    remarks: [
      settings.full_page_writes === 'off'
        ? 'full_page_writes is off: right only on a file system that never tears a page, such as ZFS.'
        : null,
      settings.data_checksums === 'off'
        ? 'data_checksums is off: damage of the disk is found late. "pg_checksums --enable" turns it on while the server is stopped.'
        : null,
      ...standbyRemarks(settings, standbys),
    ].filter((remark) => remark !== null),
  };
}

/** Connections of one service at most (store/postgres/connection/connections.ts): writers, readers, the listener. */
const CONNECTIONS = 13;

/** Null where it has none yet. */
async function schemaVersion(database: Database): Promise<number | null> {
  const [found] = await orNone(() =>
    database.ask<{ version: number }>('SELECT version FROM schema_version WHERE id = 1'),
  );
  return found?.version ?? null;
}

const servicesOf = (database: Database) => orNone(() => livingServices(database));

async function connectionsOf(database: Database): Promise<{ used: number; most: number }> {
  const [found] = await database.ask<{ used: number; most: number }>(
    `SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
            current_setting('max_connections')::int AS most`,
  );
  return found ?? { used: 0, most: 1 };
}

const NO_SUCH_TABLE = '42P01';

async function orNone<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await ask();
  } catch (error) {
    if (sqlState(error) === NO_SUCH_TABLE) return [];
    throw error;
  }
}
