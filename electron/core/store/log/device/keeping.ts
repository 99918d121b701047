import type { Micros, TimeRange } from '#shared/values/time.ts';
import { countRecords } from '../../blocks/reads.ts';
import { nameTaken, notKept } from '../../store-errors.ts';
import type { KeptRecords, Replacement } from '../../store.ts';
import type { Segment } from '../segment/segment.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import { Abandoned } from '../segment/sorted-writer.ts';
import type { DeviceLog } from './device-log.ts';
import type { Exchange } from './device-segments.ts';
import { rowsWithin } from './rows-within.ts';
import type { KeptSegments } from '../segment/kept-segments.ts';

/*
 * Removes records so that they can come back. They stay in the device's folder as they are: only the manifest says that
 * they count no more, and later that they do again, so either costs what replacing it does, however many they are. A
 * range ends within segments: those are written anew as what stays and what goes.
 */

/** Soft delete: of a range, or of all, as a purge at an instant. */
export type Removal = { readonly range: TimeRange } | { readonly at: Micros };

const NONE = { records: 0, bytes: 0, first: null, last: null };

/** Returns the empty soft delete of an unused name. */
export const nothingKept = (name: string): KeptRecords => ({ name, ...NONE });

/**
 * Soft delete of records. Resolves with the kept ones; a repeated call with the same. Not for a device that was purged
 * meanwhile.
 */
export async function keepRecords(log: DeviceLog, name: string, removal: Removal): Promise<KeptRecords> {
  // There may be records that were refused and will be found after all: then this would not have kept them.
  if (log.common.poison.reason !== null) throw log.common.poison.reason;
  const known = keptAs(log, name);
  if (known !== undefined) return about(known);
  const { generation } = log;
  try {
    await log.flushNow();
    // Of a device that was dropped meanwhile not even a folder is to be made.
    if (log.generation !== generation) throw new Abandoned();
    await ('at' in removal ? keepAll(log, name, removal.at) : keepRange(log, name, removal.range));
  } catch (error) {
    // A purge came in between and took the records with it.
    if (!(error instanceof Abandoned)) throw error;
  }
  const entry = keptAs(log, name);
  return entry === undefined ? nothingKept(name) : about(entry);
}

async function keepAll(log: DeviceLog, name: string, at: Micros): Promise<void> {
  const { generation } = log;
  await log.prepare();
  const kept = { name, purge: { at, before: log.purgedAt }, moved: log.segments, removed: [] };
  if (!(await log.exchange({ kept }, generation, () => log.keys.clear()))) throw new Abandoned();
}

async function keepRange(log: DeviceLog, name: string, range: TimeRange): Promise<void> {
  const { generation } = log;
  const parts = await log.retrying(() => divide(log, range));
  if (holdsNone(parts)) return;
  if (!(await exchangeParts(log, name, parts, { generation }))) throw new Abandoned();
}

/** Staged records that come in place of those of a range. */
export interface Instead {
  readonly made: readonly SegmentMeta[];
  /** Called at the moment that they count. */
  readonly visible: () => void;
}

/**
 * Soft delete of the records of a range, with what comes in their place, as one manifest. Resolves with false, and nothing is
 * changed, where the device or the range is another one than the change is for. Throws KeyLimitReached.
 */
export async function replaceRecords(
  log: DeviceLog,
  { name, range, revision, expected, back }: Replacement,
  { made, visible }: Instead,
): Promise<boolean> {
  if (log.common.poison.reason !== null) throw log.common.poison.reason;
  if (log.revision !== revision) return false;
  if (keptAs(log, name) !== undefined) throw nameTaken(name);
  const entry = back === undefined ? null : mustBeKept(log, back);
  const { generation } = log;
  // Asked again once the ends of the range are written: records may arrive meanwhile.
  const isDue = () => log.generation === generation && countRecords(log, range) === expected;
  if (!isDue()) return false;
  const exchange = async (seen: () => void) => {
    const parts = await log.retrying(() => divide(log, range));
    if (holdsNone(parts) && made.length === 0 && entry === null) return true;
    return exchangeParts(log, name, parts, { made, back: entry, visible: seen, generation, isDue });
  };
  try {
    return await (entry === null ? exchange(visible) : comesBack(log, entry, visible, exchange));
  } catch (error) {
    // A purge came in between and took the records with it.
    if (error instanceof Abandoned) return false;
    throw error;
  }
}

const holdsNone = ({ moved, replaced }: Parts) => moved.length + replaced.length === 0;

interface Exchanging extends Partial<Instead>, Pick<Exchange, 'back'> {
  readonly generation: number;
  /** Asked at the last moment. */
  readonly isDue?: () => boolean;
}

/** Resolves with false where all went since `generation`, or where it is not due any more: then the parts are gone. */
async function exchangeParts(
  log: DeviceLog,
  name: string,
  parts: Parts,
  { generation, made = [], back = null, visible = () => {}, isDue = () => true }: Exchanging,
): Promise<boolean> {
  const { moved, removed, replaced } = parts;
  const what = {
    made: [...parts.made, ...made],
    replaced,
    kept: holdsNone(parts) ? null : { name, purge: null, moved, removed },
    back,
  };
  let isNamed = false;
  const seen = () => {
    isNamed = true;
    visible();
  };
  const discard = () => log.folder.discard([...parts.made, ...removed]);
  try {
    const isExchanged = isDue() && (await log.exchange(what, generation, seen));
    if (!isExchanged) await discard();
    return isExchanged;
  } catch (error) {
    // After a failed sync nobody knows which manifest is on disk: the next start keeps the files that it names. Where it
    // was only the old files that could not be removed, the manifest names the new ones.
    if (!isNamed && log.common.poison.reason === null) await discard();
    throw error;
  }
}

type Parts = Awaited<ReturnType<typeof divide>>;

/** The segments that hold rows of a range, and those at its ends written anew as what stays and what goes. */
async function divide(log: DeviceLog, range: TimeRange) {
  const moved: Segment[] = [];
  const replaced: Segment[] = [];
  const removed: SegmentMeta[] = [];
  const made: SegmentMeta[] = [];
  try {
    for (const { segment, from, to } of rowsWithin(log.segments, range)) {
      if (from === 0 && to === segment.rows) {
        moved.push(segment);
        continue;
      }
      replaced.push(segment);
      const { id, age } = segment.meta;
      const origin = { age, replaces: [id] };
      const rest = [
        { source: segment, from: 0, to: from },
        { source: segment, from: to, to: segment.rows },
      ];
      made.push(...(await log.write(rest, origin)));
      removed.push(...(await log.write([{ source: segment, from, to }], origin)));
    }
    return { moved, removed, made, replaced };
  } catch (error) {
    await log.folder.discard([...made, ...removed]);
    throw error;
  }
}

/** Undoes the soft delete of a name; resolves with false for none. Throws KeyLimitReached, and then all is as it was. */
export async function restoreRecords(log: DeviceLog, name: string): Promise<boolean> {
  if (log.common.poison.reason !== null) throw log.common.poison.reason;
  for (let entry = keptAs(log, name); entry !== undefined; entry = keptAs(log, name)) {
    const back = entry;
    // A purge may come while the manifest is written: they come back after it.
    const exchange = (visible: () => void) => log.exchange({ back }, log.generation, visible);
    if (!(await comesBack(log, back, () => {}, exchange))) continue;
    log.maintain();
    return true;
  }
  return false;
}

/** Holds the keys of a soft delete for `work`, which puts it back, and calls what it is given, and so `visible`, at that moment. */
async function comesBack(
  log: DeviceLog,
  { segments }: KeptSegments,
  visible: () => void,
  work: (visible: () => void) => Promise<boolean>,
): Promise<boolean> {
  const held = log.keys.holdAgain(mostKeys(segments), () => log.read(() => keysOf(segments)));
  let isBack = false;
  try {
    return await work(() => {
      isBack = true;
      visible();
    });
  } finally {
    held.settle(isBack);
  }
}

/** Discards the soft delete of a name; resolves with false for none. */
export async function discardRecords(log: DeviceLog, name: string): Promise<boolean> {
  const entry = keptAs(log, name);
  if (entry === undefined) return false;
  await log.discardKept(entry);
  return true;
}

function mustBeKept(log: DeviceLog, name: string): KeptSegments {
  const entry = keptAs(log, name);
  if (entry === undefined) throw notKept(name);
  return entry;
}

export function keptAs(log: DeviceLog, name: string): KeptSegments | undefined {
  return log.bin.find((entry) => entry.name === name);
}

export function about({ name, segments }: KeptSegments): KeptRecords {
  if (segments.length === 0) return nothingKept(name);
  return {
    name,
    records: segments.reduce((sum, { rows }) => sum + rows, 0),
    bytes: segments.reduce((sum, { meta }) => sum + meta.bytes, 0),
    first: segments.reduce((first, segment) => Math.min(first, segment.first), Infinity),
    last: segments.reduce((last, segment) => Math.max(last, segment.last), -Infinity),
  };
}

/** At least as many distinct keys as they have; null where a manifest of an older version does not tell. */
function mostKeys(segments: readonly Segment[]): number | null {
  return segments.reduce<number | null>(
    (sum, { meta }) => (sum === null || meta.keys === undefined ? null : sum + meta.keys),
    0,
  );
}

function keysOf(segments: readonly Segment[]): string[] {
  return segments.flatMap((segment) => Array.from(segment.keyCounts(), ({ key }) => key));
}
