import { machineClock, type MonotonicMs } from '../../../base/machine-clock.ts';
import { systemRandom } from '../../../base/system-random.ts';
import { uuidOf } from '../../../base/uuid.ts';
import { untilResolved, type AttemptLimits } from './attempts.ts';
import { isLost, stillInDoubt } from './database-errors.ts';
import type { Link } from './link.ts';

/** The note that a change writes of itself, as its last statement before the COMMIT: into the part of its hour (schema-4.sql). */
export const NOTE = 'INSERT INTO outcome (lane, id, stored) VALUES ($1, $2, true)';
/**
 * Returns the id of a note: UUID version 7 (RFC 9562, 5.7), whose first 48 bits are the wall clock's ms and whose other 74 are random.
 * Ids that rise with time put a lane's notes of one hour side by side in the index: random ones touch a page of it each, which are
 * more the longer the hour lasts, and after each checkpoint are written whole to the WAL.
 */
export function newNoteId(): string {
  const bytes = systemRandom.bytes(16);
  bytes.writeUIntBE(machineClock.wallMs(), 0, 6);
  return uuidOf(bytes, 7);
}

/**
 * Says whether the change was made; if not, it never will be. A change itself even where nothing is to be refused: it waits
 * for a synchronous standby, which a change made before a crash of the primary may never have reached.
 */
const SETTLE = `INSERT INTO outcome (lane, part, id, stored)
  VALUES ($1, 0, $2, false), ($1, 1, $2, false), ($1, 2, $2, false)
  ON CONFLICT (lane, part, id) DO UPDATE SET stored = outcome.stored RETURNING stored`;

/** ms after which a note may have been removed (upkeep/old-notes.ts), and its change stays in doubt. */
const OUTCOME_MS = 3_000_000;
const PAUSE_MS = 50;

/** A moment by both clocks: one stands still while the machine sleeps, and somebody may set the other one. */
export interface Sent {
  readonly wallMs: number;
  readonly monotonicMs: MonotonicMs;
}

/** Returns the present moment. */
export const sentNow = (): Sent => ({
  wallMs: machineClock.wallMs(),
  monotonicMs: machineClock.monotonicMs(),
});

/** Returns the longer of the times, in ms, that both clocks tell. */
const msSince = ({ wallMs, monotonicMs }: Sent) =>
  Math.max(machineClock.wallMs() - wallMs, machineClock.monotonicMs() - monotonicMs);

/** In-doubt transaction: the answer to its COMMIT was lost. */
export interface InDoubt<T> {
  readonly lane: number;
  /** Of what it notes. */
  readonly id: string;
  /** When its end was sent; null where it was not. */
  readonly sent: Sent | null;
  readonly result: { readonly value: T } | null;
  /** Of the attempt that made it. */
  readonly limits: AttemptLimits;
}

export interface ResolveOptions {
  /** Of the database, for people. */
  readonly name: string;
  /** Runs it on a connection of its own, within so many ms; `work` hears how many are left. */
  readonly alone: <T>(limit: number, work: (link: Link, left: number) => Promise<T>) => Promise<T>;
}

/**
 * Resolves an in-doubt transaction: with its result where it was made. Rejects with `error` where it was not and never will
 * be: a late COMMIT would meet the row that says so, in whichever part. Rejects with `unreachable` where the database does not say.
 */
export async function resolveInDoubt<T>(
  error: unknown,
  { lane, id, sent, result, limits }: InDoubt<T>,
  { name, alone }: ResolveOptions,
): Promise<T> {
  if (sent === null || result === null || !isLost(error)) throw error;
  const untilMs = untilResolved(limits);
  let failure = error;
  for (;;) {
    const limit = untilMs - machineClock.monotonicMs();
    if (limit <= 0) throw stillInDoubt(name, failure);
    try {
      if (await alone(limit, (link, left) => isStored(link, { lane, id, left }))) return result.value;
    } catch (again) {
      if (!isLost(again)) throw stillInDoubt(name, again);
      failure = again;
      await machineClock.delay(PAUSE_MS);
      continue;
    }
    if (msSince(sent) > OUTCOME_MS) throw stillInDoubt(name, error);
    throw error;
  }
}

async function isStored(
  link: Link,
  { lane, id, left }: { readonly lane: number; readonly id: string; readonly left: number },
): Promise<boolean> {
  const rows = await link.ask({ sql: SETTLE, params: [lane, id] }, left);
  return rows.some((row) => row['stored'] === true);
}
