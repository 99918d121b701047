import { machineClock } from '../base/machine-clock.ts';
import type { Asker, Database } from '../store/postgres/connection/connections.ts';
import {
  hashOf,
  MAX_VISITORS,
  randomSecret,
  TICKET_MS,
  VISITOR_MS,
  type Tickets,
} from '../backend/tickets.ts';

/** ms between two writings of the sessions whose windows stay open. */
const STAY_MS = 3600_000;

/**
 * The tickets of all services over one database, by its clock: a link of one service opens the console at any other, once,
 * and a session of one holds at all of them, over their restarts, too. The database has hashes alone.
 */
export function createDatabaseTickets(database: Database): Tickets {
  const isThere = async (sql: string, params: readonly unknown[]) =>
    (await database.ask(sql, params)).length > 0;
  let stayedAt = -Infinity;

  return {
    async issue() {
      const ticket = randomSecret();
      await database.askAll([{ sql: LAPSED }, { sql: ISSUE, params: [hashOf(ticket), `${TICKET_MS} ms`] }]);
      return ticket;
    },
    holds: (ticket) => isThere(WAITING, [hashOf(ticket)]),
    async redeem(ticket) {
      const [cookie, secret] = [randomSecret(), randomSecret()];
      const hashes = [hashOf(ticket), hashOf(cookie), hashOf(secret)] as const;
      return (await database.change((asker) => letIn(asker, ...hashes))) ? { cookie, secret } : null;
    },
    isVisitor: (cookie) => isThere(VISITOR, [hashOf(cookie)]),
    isSecret: (secret) => isThere(STAY, [hashOf(secret), `${VISITOR_MS} ms`]),
    async holding(secrets) {
      const byHash = new Map(secrets.map((secret) => [hashOf(secret).toString('hex'), secret]));
      const hashes = [...byHash.keys()];
      const now = machineClock.monotonicMs();
      if (now - stayedAt > STAY_MS) {
        await database.ask(STAY_OPEN, [hashes, `${VISITOR_MS} ms`]);
        stayedAt = now;
      }
      const found = await database.ask(HOLDING, [hashes]);
      return new Set(found.flatMap(({ secret }) => byHash.get(String(secret)) ?? []));
    },
    signOut: async (cookie, secret) => void (await database.ask(END, [hashOf(cookie), hashOf(secret)])),
    returning: null,
  };
}

/** All of them hashes. Resolves with whether the ticket was good. */
async function letIn(asker: Asker, ticket: Buffer, cookie: Buffer, secret: Buffer): Promise<boolean> {
  const used = await asker.ask(USE, [ticket]);
  if (used.length === 0) return false;
  await asker.ask(LET_IN, [cookie, secret, `${VISITOR_MS} ms`]);
  await asker.ask(SIGN_OUT, [MAX_VISITORS]);
  return true;
}

const LAPSED = 'DELETE FROM ticket WHERE until <= now()';
// Asked again where its answer was lost.
const ISSUE = `INSERT INTO ticket (hash, made, until) VALUES ($1, now(), now() + $2::interval)
  ON CONFLICT (hash) DO NOTHING`;
const WAITING = 'SELECT 1 AS one FROM ticket WHERE hash = $1 AND secret IS NULL AND until > now()';
/** Of two that use it at once, the second finds no row. */
const USE = 'DELETE FROM ticket WHERE hash = $1 AND secret IS NULL AND until > now() RETURNING 1 AS one';
const LET_IN = `INSERT INTO ticket (hash, secret, made, until)
  VALUES ($1, $2, clock_timestamp(), now() + $3::interval)`;
const SIGN_OUT = `DELETE FROM ticket WHERE hash IN
  (SELECT hash FROM ticket WHERE secret IS NOT NULL ORDER BY made DESC, hash OFFSET $1)`;
const VISITOR = 'SELECT 1 AS one FROM ticket WHERE hash = $1 AND secret IS NOT NULL AND until > now()';
const END = 'DELETE FROM ticket WHERE secret IS NOT NULL AND (hash = $1 OR secret = $2)';
/** Prolongs the session of a window that opens. */
const STAY =
  'UPDATE ticket SET until = now() + $2::interval WHERE secret = $1 AND until > now() RETURNING 1 AS one';
/** Secrets as hexadecimal texts; the table has as many rows as browsers are signed in, and some tickets. */
const STAY_OPEN = `UPDATE ticket SET until = now() + $2::interval
  WHERE encode(secret, 'hex') = ANY($1::text[]) AND until > now()`;
const HOLDING = `SELECT encode(secret, 'hex') AS secret FROM ticket
  WHERE encode(secret, 'hex') = ANY($1::text[]) AND until > now()`;
