import type { Micros } from '#shared/values/time.ts';
import type { Timer } from '../../base/clock.ts';
import { Refusal, StoreError } from '../../base/errors.ts';
import { machineClock, type MonotonicMs } from '../../base/machine-clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { KeptDelete } from '../../store/metadata/metadata-schema.ts';
import { trimAlarms } from '../alarms/trim-alarms.ts';
import type { Context } from '../context.ts';
import { finishDeletions } from './pending.ts';
import { settleKept } from './settle-kept.ts';
import { discardDelete } from './undo.ts';

/** Below this share of the disk what was deleted is given up, oldest first. */
const LEAST_FREE = 0.05;
/** Soft deletes of one device at most: they stand in its list of files, which is written again and again. */
const MOST_OF_DEVICE = 500;
const MOST = 20_000;
/** Time between two sweeps while a clock is moved by hand, where nothing is due before. */
const MOVED_US = 3_600_000_000;

export interface Sweep {
  /** Removes for good what is due. Resolves when nothing is; one at a time. */
  run(): Promise<void>;
  /** Early discards, for people to read. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

/**
 * Garbage collection of soft deletes, which are discarded when their time is up, or earlier where the disk needs the room, and of
 * alarms. Runs every `everyMs`.
 */
export function openSweep(
  context: Context,
  {
    everyMs,
    freeShare,
    log,
  }: { readonly everyMs: number; readonly freeShare: () => Promise<number>; readonly log: Logger },
): Sweep {
  const notes = new Map<'disk' | 'number', string>();
  let givenUp = 0;
  let beyond = 0;
  let timer: Timer | null = null;
  let running: Promise<void> | null = null;
  let closed = false;
  /** The last sweep, and when what is kept falls due next by what it found; null where that is not known. */
  let last: { readonly at: Micros; readonly ended: MonotonicMs; readonly nextDue: Micros } | null = null;

  /**
   * Whether nothing can be due: the last sweep is less than a period of the machine's clock ago. A move of the clock by days asks so
   * thousands of times. What is deleted meanwhile is kept for a day at least.
   */
  function isIdle(): boolean {
    if (last === null || machineClock.monotonicMs() - last.ended >= everyMs) return false;
    const now = context.clock.now();
    return now >= last.at && now < Math.min(last.at + MOVED_US, last.nextDue);
  }

  /** Resolves with false where it could not be removed; it is tried again. */
  async function discard(kept: KeptDelete): Promise<boolean> {
    try {
      await discardDelete(kept, context);
      return true;
    } catch (error) {
      // Somebody restores or removes it just now.
      if (error instanceof Refusal) return true;
      if (!(error instanceof StoreError)) throw error;
      log.warn(`What was deleted of "${kept.name}" could not be removed for good: ${error.message}`);
      return false;
    }
  }

  const oldestFirst = async () => {
    const rows = await context.metadata.read((tables) => tables.list('kept_deletes'));
    return rows.filter(({ state }) => state === 'kept').toSorted((a, b) => a.created - b.created);
  };

  /** In a lab one service sweeps, and finishes what a dead one began. */
  async function sweep(): Promise<void> {
    await context.work.unlessUnderWay('sweep', async () => {
      if (context.work.isShared)
        for (const note of [...(await finishDeletions(context)), ...(await settleKept(context))])
          log.warn(note);
      const at = context.clock.now();
      last = null;
      const nextDue = await removeDue(at);
      await trimAlarms(context);
      last = { at, ended: machineClock.monotonicMs(), nextDue };
    });
  }

  /** Resolves with when what is left is due next. */
  async function removeDue(now: Micros): Promise<Micros> {
    let left = await oldestFirst();
    const failed = new Set<string>();
    const remove = async (kept: KeptDelete) => {
      left = left.filter((each) => each !== kept);
      if (!(await discard(kept))) failed.add(kept.id);
    };
    for (const kept of tooMany(left)) {
      if (closed) return now;
      await remove(kept);
      if (failed.has(kept.id)) continue;
      beyond++;
      tell(
        'number',
        `More was deleted than is kept (${MOST_OF_DEVICE} purges and range deletes of a device, ${MOST} deletes in all): ${beyond} of these things were removed for good before their time, the oldest of whichever project has the most. The last was "${kept.name}".`,
      );
    }
    for (const kept of left.filter(({ until }) => until <= now)) {
      if (closed) return now;
      await remove(kept);
    }
    for (const oldest of left) {
      if (closed || (await freeShare()) >= LEAST_FREE) break;
      await remove(oldest);
      if (failed.has(oldest.id)) break;
      givenUp++;
      tell(
        'disk',
        `The disk has less than ${LEAST_FREE * 100} % free: ${givenUp} of the things that were deleted were removed for good before their time, oldest first. The last was "${oldest.name}".`,
      );
    }
    return failed.size > 0 ? now : left.reduce((first, { until }) => Math.min(first, until), Infinity);
  }

  /** The last of each kind stands for those before it. */
  function tell(why: 'disk' | 'number', note: string): void {
    notes.set(why, note);
    log.warn(note);
  }

  function run(): Promise<void> {
    running ??= sweep().finally(() => (running = null));
    return running;
  }

  function wait(): void {
    timer = context.clock.after(everyMs, () => {
      if (isIdle()) return wait();
      return run()
        .catch((error: unknown) => log.error('removing what was deleted failed', error))
        .finally(() => void (closed || wait()));
    });
  }
  wait();

  return {
    run,
    get notes() {
      return [...notes.values()];
    },
    async close() {
      closed = true;
      timer?.cancel();
      await running?.catch((error: unknown) => log.error('removing what was deleted failed', error));
    },
  };
}

/**
 * Returns the soft deletes beyond the limits: the oldest of a device with too many, then the oldest of the project with the
 * most, so that many deletes of one project discard none of others.
 */
export function tooMany(
  oldestFirst: readonly KeptDelete[],
  { mostOfDevice = MOST_OF_DEVICE, most = MOST } = {},
): readonly KeptDelete[] {
  const ofDevice = new Map<string, number>();
  const found = oldestFirst.toReversed().filter(({ device_id, kind }) => {
    if (device_id === undefined || kind === 'device') return false;
    const count = (ofDevice.get(device_id) ?? 0) + 1;
    ofDevice.set(device_id, count);
    return count > mostOfDevice;
  });
  const gone = new Set(found);
  const ofProjects = Map.groupBy(
    oldestFirst.filter((kept) => !gone.has(kept)),
    ({ project_id }) => project_id,
  );
  const numbers = [...ofProjects.values()].map(({ length }) => length);
  const part = partOf(numbers, most);
  for (const kept of ofProjects.values()) found.push(...kept.slice(0, Math.max(0, kept.length - part)));
  return found;
}

/** The largest number that each may have so that all together have `most` at most; Infinity where they have no more. */
function partOf(numbers: readonly number[], most: number): number {
  let left = most;
  const ascending = numbers.toSorted((a, b) => a - b);
  for (const [n, number] of ascending.entries()) {
    const part = Math.floor(left / (ascending.length - n));
    if (number > part) return part;
    left -= number;
  }
  return Infinity;
}
