import type { Merged } from '#shared/operations/records/sync.ts';
import { lineOf } from '../sync/lines.ts';
import type { Lacking } from './compare.ts';
import { TOO_LARGE } from './answer.ts';
import { LabRefusal, type Lab, type Place } from './lab.ts';

/**
 * Bytes and records that go at once, but for a record that is larger: short enough that a cut costs little, and below the
 * mebibyte that nginx takes where nobody says otherwise.
 */
const BYTES_AT_ONCE = 1024 * 1024 - 1;
const RECORDS_AT_ONCE = 8192;

export interface Sending {
  readonly lab: Pick<Lab, 'merge'>;
  readonly place: Place;
  readonly removed: 'leave-out' | 'store';
  /** Records in the plan; more are not sent. */
  readonly most: number;
  /** Gets how many records have been dealt with since it was called last. */
  readonly progress: (records: number) => void;
}

/** Merged counts of all that was sent. */
export interface SentSoFar extends Merged {
  /** False: there was more than was planned, which was not sent. */
  readonly isAll: boolean;
}

/**
 * Sends records, some at a time, each time all or nothing; fewer from where those are too large for the lab, or what stands
 * before it. `sent` gets what became of them as it goes, so that it is known where it is cut off, too. Rejects as the lab does.
 */
export async function send(
  lacking: AsyncIterable<readonly Lacking[]>,
  { lab, place, removed, most, progress }: Sending,
  sent: (so_far: SentSoFar) => void,
): Promise<void> {
  let total: SentSoFar = { stored: 0, present: 0, removed: 0, isAll: true };
  let lines: Buffer[] = [];
  let bytes = 0;
  let atOnce = BYTES_AT_ONCE;
  let records = 0;
  /** False where the lab, or what stands before it, takes fewer only. */
  const isTaken = async (some: readonly Buffer[]): Promise<boolean> => {
    let merged: Merged;
    try {
      merged = await lab.merge(place, Buffer.concat(some), removed);
    } catch (error) {
      if (!(error instanceof LabRefusal) || error.status !== TOO_LARGE) throw error;
      const size = sizeOf(some);
      if (some.length === 1)
        throw new LabRefusal(error.status, `${error.message} It is one record of ${size} bytes.`);
      atOnce = Math.ceil(size / 2);
      return false;
    }
    total = {
      stored: total.stored + merged.stored,
      present: total.present + merged.present,
      removed: total.removed + merged.removed,
      isAll: true,
    };
    progress(some.length);
    sent(total);
    return true;
  };
  const flush = async () => {
    let left = lines;
    lines = [];
    bytes = 0;
    while (left.length > 0) {
      const some = left.slice(0, fitting(left, atOnce));
      if (await isTaken(some)) left = left.slice(some.length);
    }
  };
  for await (const same of lacking)
    for (const one of same) {
      if (records === most) {
        await flush();
        sent({ ...total, isAll: false });
        return;
      }
      records++;
      const line = Buffer.from(lineOf(one));
      if (bytes + line.length > atOnce || lines.length === RECORDS_AT_ONCE) await flush();
      lines.push(line);
      bytes += line.length;
    }
  await flush();
}

/** How many of them, from the first one on, have no more bytes than that; one at least. */
function fitting(lines: readonly Buffer[], bytes: number): number {
  let sum = 0;
  const past = lines.findIndex((line) => (sum += line.length) > bytes);
  return past === -1 ? lines.length : Math.max(1, past);
}

const sizeOf = (lines: readonly Buffer[]): number => lines.reduce((sum, { length }) => sum + length, 0);
