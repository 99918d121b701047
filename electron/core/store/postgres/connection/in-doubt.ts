import { machineClock } from '../../../base/machine-clock.ts';
import { isLost, unsettled } from './database-errors.ts';
import type { Link } from './link.ts';

/** What a change writes of itself, as its last statement before the COMMIT. */
export const NOTE = 'INSERT INTO outcome (lane, id, stored) VALUES ($1, $2, true)';
/**
 * Says whether it was made; where it was not, it never will be. This is a change even where nothing is to be refused: it
 * waits for a synchronous standby, which what was made before a crash of the primary may never have reached.
 */
const SETTLE = `INSERT INTO outcome (lane, id, stored) VALUES ($1, $2, false)
  ON CONFLICT (lane, id) DO UPDATE SET at = now() RETURNING stored`;

/** What was noted so long ago may have been removed since (janitor.ts): nobody can say whether it was made. */
const OUTCOME_MS = 3_600_000;
const PAUSE_MS = 50;

/** A change whose end is not known. */
export interface Unknown<T> {
  readonly lane: number;
  /** Of what it notes. */
  readonly id: string;
  /** When its end was sent, in ms since 1970; null where it was not. */
  readonly sent: number | null;
  readonly result: { readonly value: T } | null;
}

export interface Settling {
  /** Milliseconds for an answer, and about for all of it. */
  readonly limit: number;
  /** Of the database, for people. */
  readonly name: string;
  /** Runs it on a connection of its own. */
  readonly alone: <T>(work: (link: Link) => Promise<T>) => Promise<T>;
}

/**
 * Resolves with the result of a change whose answer was lost, where it was made. Rejects with `error` where it was not and
 * never will be: a late COMMIT would meet the row that says so. Rejects with `unreachable` where the database does not say.
 */
export async function settled<T>(
  error: unknown,
  { lane, id, sent, result }: Unknown<T>,
  { limit, name, alone }: Settling,
): Promise<T> {
  if (sent === null || result === null || !isLost(error)) throw error;
  const until = machineClock.wallMs() + limit;
  for (;;) {
    try {
      if (await alone((link) => isStored(link, { lane, id, limit }))) return result.value;
    } catch (again) {
      if (!isLost(again) || machineClock.wallMs() >= until) throw unsettled(name, again);
      await machineClock.delay(PAUSE_MS);
      continue;
    }
    if (machineClock.wallMs() - sent > OUTCOME_MS) throw unsettled(name, error);
    throw error;
  }
}

async function isStored(
  link: Link,
  { lane, id, limit }: { readonly lane: number; readonly id: string; readonly limit: number },
): Promise<boolean> {
  const [row] = await link.ask({ sql: SETTLE, params: [lane, id] }, limit);
  return row?.['stored'] === true;
}
