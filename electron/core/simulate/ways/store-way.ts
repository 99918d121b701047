import type { Clock } from '../../base/clock.ts';
import { Refusal, StoreError } from '../../base/errors.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import { checkedTime, RecordFault } from '../../ingest/record.ts';
import type { Sender } from '../../store/metadata/sender.ts';
import type { StoredRecord } from '../../store/store.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import type { Reading } from '../readings.ts';
import { DeviceGone, type Outcome, type Way } from './way.ts';

/** Records that are stored together, where so many are due. */
const MOST = 500;

/** Beside the doors: what is stored counts as sent by the device. `sender` resolves with null where that is gone. */
export function storeWay({
  ingest,
  clock,
  sender,
}: {
  readonly ingest: Pick<Ingest, 'store'>;
  readonly clock: Clock;
  readonly sender: () => Promise<Sender | null>;
}): Way {
  return {
    most: MOST,
    async send(readings): Promise<Outcome> {
      const from = await sender();
      if (from === null) throw new DeviceGone();
      const { records, problem } = recordsOf(readings, clock.now());
      const faulty = readings.length - records.length;
      if (records.length === 0) return { stored: 0, refused: faulty, problem };
      try {
        await ingest.store(from, { count: records.length, records });
        return { stored: records.length, refused: faulty, problem };
      } catch (error) {
        if (!(error instanceof StoreError || error instanceof Refusal)) throw error;
        if ((await sender()) === null) throw new DeviceGone();
        return { stored: 0, refused: readings.length, problem: error.message };
      }
    },
    close() {},
  };
}

/** Those that can be records, and what is wrong with the last other one. */
function recordsOf(readings: readonly Reading[], received: Micros) {
  const records: StoredRecord[] = [];
  let problem: string | null = null;
  for (const { timestamp, keys, values } of readings)
    try {
      records.push({ timestamp: checkedTime(timestamp, formatMicros(timestamp)), received, keys, values });
    } catch (error) {
      if (!(error instanceof RecordFault)) throw error;
      problem = error.message;
    }
  return { records, problem };
}
