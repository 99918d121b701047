import type { Asker, Database } from '../store/postgres/connection/connections.ts';
import type { SharedWork } from '../work/shared-work.ts';
import { DEAD_S } from './heartbeat.ts';

/** Leases of work under way of the services over one database, by the database's clock; each heartbeat prolongs them. */
export function createDatabaseWork(database: Database, service_id: string): SharedWork {
  /** How often this service does work of a name just now. */
  const own = new Map<string, number>();

  async function done(name: string): Promise<void> {
    const left = (own.get(name) ?? 1) - 1;
    if (left > 0) own.set(name, left);
    else {
      own.delete(name);
      await database.ask(END, [name, service_id]);
    }
  }

  async function finishing<T>(name: string, work: () => Promise<T>): Promise<T> {
    own.set(name, (own.get(name) ?? 0) + 1);
    try {
      return await work();
    } finally {
      // Where that is not said it lapses by itself.
      await done(name).catch(() => undefined);
    }
  }

  return {
    isShared: true,
    async during(name, work) {
      await database.ask(BEGIN, [name, service_id, LAPSES]);
      return finishing(name, work);
    },
    async unlessUnderWay(name, work) {
      if (own.has(name)) return null;
      const isFree = await database.change((asker) => take(asker, name));
      return isFree ? finishing(name, work) : null;
    },
  };

  async function take(asker: Asker, name: string): Promise<boolean> {
    await asker.ask(LAPSED, [name]);
    await asker.ask(BEGIN, [name, service_id, LAPSES]);
    // Of two that take it at once each sees its own row alone, and both do it: that is allowed.
    const others = await asker.ask('SELECT 1 AS one FROM under_way WHERE name = $1 AND service_id <> $2', [
      name,
      service_id,
    ]);
    if (others.length > 0) await asker.ask(END, [name, service_id]);
    return others.length === 0;
  }
}

const LAPSES = `${DEAD_S} s`;
const LAPSED = 'DELETE FROM under_way WHERE name = $1 AND until < now()';
const BEGIN = `INSERT INTO under_way (name, service_id, until) VALUES ($1, $2, now() + $3::interval)
  ON CONFLICT (name, service_id) DO UPDATE SET until = excluded.until`;
const END = 'DELETE FROM under_way WHERE name = $1 AND service_id = $2';
