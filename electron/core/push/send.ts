import type { Merged } from '#shared/operations/sync.ts';
import { lineOf } from '../sync/lines.ts';
import type { Lacking } from './compare.ts';
import type { Lab, Place } from './lab.ts';

/** Bytes and records that go at once, about: short enough that a cut costs little. */
const BYTES_AT_ONCE = 1024 * 1024;
const RECORDS_AT_ONCE = 8192;

export interface Sending {
  readonly lab: Pick<Lab, 'merge'>;
  readonly place: Place;
  readonly removed: 'leave-out' | 'store';
  /** More are not sent: nobody planned them. */
  readonly most: number;
  /** Gets how many records have been dealt with since it was called last. */
  readonly progress: (records: number) => void;
}

/** What the lab did with all that was sent. */
export interface SentSoFar extends Merged {
  /** False: there was more than was planned, which was not sent. */
  readonly isAll: boolean;
}

/**
 * Sends records, some at a time, each time all or nothing. `sent` gets what became of them as it goes, so that it is known
 * where it is cut off, too. Rejects as the lab does.
 */
export async function send(
  lacking: AsyncIterable<readonly Lacking[]>,
  { lab, place, removed, most, progress }: Sending,
  sent: (so_far: SentSoFar) => void,
): Promise<void> {
  let total: SentSoFar = { stored: 0, present: 0, removed: 0, isAll: true };
  let lines: string[] = [];
  let characters = 0;
  let records = 0;
  const flush = async () => {
    if (lines.length === 0) return;
    const merged = await lab.merge(place, Buffer.from(lines.join('')), removed);
    total = {
      stored: total.stored + merged.stored,
      present: total.present + merged.present,
      removed: total.removed + merged.removed,
      isAll: true,
    };
    progress(lines.length);
    lines = [];
    characters = 0;
    sent(total);
  };
  for await (const same of lacking)
    for (const one of same) {
      if (records === most) {
        await flush();
        sent({ ...total, isAll: false });
        return;
      }
      records++;
      const line = lineOf(one);
      lines.push(line);
      characters += line.length;
      if (characters >= BYTES_AT_ONCE || lines.length === RECORDS_AT_ONCE) await flush();
    }
  await flush();
}
