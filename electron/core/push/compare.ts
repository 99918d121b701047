import { MOST_IDS, MOST_PARTS } from '#shared/operations/records/sync.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import { idOf, type RecordId } from '../sync/content.ts';
import type { Part } from '../sync/digests.ts';
import type { Counted, LocalSide, Whole } from './local-side.ts';
import type { Lab, Place } from './lab.ts';

/** Ranges of up to so many records are compared record by record. */
const FEW = 4096;
/** Ids that are asked for at once, about, where more than MOST_IDS records are at one instant. */
const IDS_AT_ONCE = 16_384;

/** A record that the lab lacks. */
export interface Lacking extends Counted {
  /** Whether the lab has others at its time. */
  readonly conflicts: boolean;
}

/** A range in which the two sides differ. */
interface Differing extends Required<TimeRange> {
  /** Records in the lab. */
  readonly there: number;
}

/**
 * The records of a device that the lab lacks, oldest first, all of an instant together. Only ranges whose digests differ are
 * looked at, divided until they are short; what the lab has more is its own. `whole` is all that counts here. `place` null:
 * the lab has nothing of it.
 */
export async function* lacking(
  local: LocalSide,
  { span, parts }: Pick<Whole, 'span' | 'parts'>,
  lab: Pick<Lab, 'digests' | 'ids'>,
  place: Place | null,
): AsyncGenerator<readonly Lacking[]> {
  const ranges = place === null ? [{ ...span, there: 0 }] : joined(differing(local, parts, lab, place, span));
  for await (const range of ranges)
    if (place === null || range.there === 0)
      for await (const same of local.instants(range, false))
        yield same.map((counted) => ({ ...counted, conflicts: false }));
    else yield* oneByOne(local, lab, place, range);
}

/** `own` are the parts of the range here. */
async function* differing(
  local: LocalSide,
  own: readonly Part[],
  lab: Pick<Lab, 'digests'>,
  place: Place,
  range: Required<TimeRange>,
): AsyncGenerator<Differing> {
  const theirs = await lab.digests(place, range, MOST_PARTS);
  const there = new Map(theirs.map((part) => [part.start, part]));
  for (const part of own) {
    const other = there.get(part.start);
    if (isSame(part, other)) continue;
    const { start, end } = part;
    const most = Math.max(part.records, other?.records ?? 0);
    if (other === undefined || most <= FEW || start === end) yield { start, end, there: other?.records ?? 0 };
    else {
      const { parts } = await local.digests({ start, end }, MOST_PARTS);
      yield* differing(local, parts, lab, place, { start, end });
    }
  }
}

/** Neighbours of which the lab has nothing as one: they are read in one go. */
async function* joined(ranges: AsyncIterable<Differing>): AsyncGenerator<Differing> {
  let waiting: readonly Differing[] = [];
  for await (const range of ranges) {
    const [last] = waiting;
    if (last?.there === 0 && range.there === 0 && last.end + 1 === range.start)
      waiting = [{ ...last, end: range.end }];
    else {
      yield* waiting;
      waiting = [range];
    }
  }
  yield* waiting;
}

const isSame = (part: Part, other: Part | undefined) =>
  part.records === other?.records && part.digest === other.digest;

async function* oneByOne(
  local: LocalSide,
  lab: Pick<Lab, 'ids'>,
  place: Place,
  range: Differing,
): AsyncGenerator<readonly Lacking[]> {
  const { counts, times } = await idsThere(lab, place, range);
  for await (const same of local.instants(range, true)) {
    const lacks = same.flatMap((counted) => {
      const count = counts.get(idOf(counted.content ?? '')) ?? 0;
      if (counted.occurrence < count) return [];
      return { ...counted, conflicts: count === 0 && times.has(counted.record.timestamp) };
    });
    if (lacks.length > 0) yield lacks;
  }
}

interface IdsThere {
  /** How many records have each id. */
  readonly counts: ReadonlyMap<RecordId, number>;
  readonly times: ReadonlySet<Micros>;
}

async function idsThere(lab: Pick<Lab, 'ids'>, place: Place, range: Differing): Promise<IdsThere> {
  const counts = new Map<RecordId, number>();
  const times = new Set<Micros>();
  const { start, end } = range;
  for (const prefix of prefixesFor(range.there)) {
    const found = await lab.ids(place, { start, end }, prefix);
    for (const [i, id] of found.ids.entries()) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
      times.add(found.times[i]!);
    }
  }
  return { counts, times };
}

/**
 * Returns prefixes of ids, so that few enough begin with each: of very many records at one instant some at a time are asked
 * for.
 */
function prefixesFor(records: number): readonly string[] {
  if (records <= MOST_IDS) return [''];
  const digits = Math.ceil(Math.log2(records / IDS_AT_ONCE) / 4);
  return Array.from({ length: 16 ** digits }, (_, i) => i.toString(16).padStart(digits, '0'));
}
