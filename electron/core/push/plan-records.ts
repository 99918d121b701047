import type { PlannedDevice } from '#shared/operations/records/push.ts';
import type { LookedDevice } from '#shared/operations/records/sync.ts';
import { formatMicros, parseInstant, type Micros } from '#shared/values/time.ts';
import type { Removal } from '../sync/removals.ts';
import { lacking } from './compare.ts';
import { countingFor, LocalSide, type LocalSideOptions } from './local-side.ts';
import type { Lab, Place } from './lab.ts';
import type { Sample } from './sample.ts';

/** Plan of a device's records. */
export type PlannedRecords = Pick<
  PlannedDevice,
  | 'records'
  | 'digest'
  | 'start'
  | 'end'
  | 'send'
  | 'bytes'
  | 'present'
  | 'removed'
  | 'removals'
  | 'conflicting'
  | 'first_conflict'
  | 'odd'
>;

export const NO_RECORDS: PlannedRecords = {
  records: 0,
  digest: '',
  start: null,
  end: null,
  send: 0,
  bytes: 0,
  present: 0,
  removed: 0,
  removals: [],
  conflicting: 0,
  first_conflict: null,
  odd: 0,
};

export interface PlanRecordsOptions extends LocalSideOptions {
  readonly lab: Pick<Lab, 'digests' | 'ids'>;
  /** Null where the lab does not have the device yet. */
  readonly place: Place | null;
  readonly at: Micros;
  readonly removed: 'leave-out' | 'send';
  readonly sample: Sample;
}

/** By how many characters the line of a record is longer than its content. */
const LINE_EXTRA = 78;

/** Rejects as the lab and the record store do. */
export async function planRecords(
  device: string,
  looked: Pick<LookedDevice, 'removals'>,
  options: PlanRecordsOptions,
): Promise<PlannedRecords> {
  const { lab, place, at, sample } = options;
  const removals = options.removed === 'leave-out' ? looked.removals : [];
  const local = new LocalSide(device, countingFor(at, at, removals.map(readRemoval)), options);
  const whole = await local.whole();
  if (whole === null) return { ...NO_RECORDS, removals: [...removals] };
  let send = 0;
  let conflicting = 0;
  let first: Micros | null = null;
  if (whole.records > 0)
    for await (const same of lacking(local, whole, lab, place)) {
      send += same.length;
      sample.add(same);
      const conflicts = same.filter((one) => one.conflicts);
      conflicting += conflicts.length;
      first ??= conflicts[0]?.record.timestamp ?? null;
      // All of them are: no need to walk past each.
      if (place === null && sample.isFull) {
        send = whole.records;
        break;
      }
    }
  const each = whole.records === 0 ? 0 : whole.characters / whole.records + LINE_EXTRA;
  return {
    records: whole.records,
    digest: whole.digest,
    start: formatMicros(whole.span.start),
    end: formatMicros(whole.span.end),
    send,
    bytes: Math.round(send * each),
    present: whole.records - send,
    removed: whole.removed,
    removals: [...removals],
    conflicting,
    first_conflict: first === null ? null : formatMicros(first),
    odd: whole.odd,
  };
}

export function readRemoval({ start, end, at }: LookedDevice['removals'][number]): Removal {
  return {
    start: start === null ? null : parseInstant(start),
    end: end === null ? null : parseInstant(end),
    at: timeOf(at),
  };
}

/** Of a removal whose time cannot be read everything counts as received later. */
const timeOf = (text: string): Micros => parseInstant(text) ?? -Infinity;
