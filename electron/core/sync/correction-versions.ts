import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ClockPoint, KeptCorrection } from '#shared/domain/corrections.ts';
import { fieldsIn } from '#shared/operations/metadata/correction-fields.ts';
import { fieldsOfKept, keptOf } from '#shared/operations/metadata/correction-rules.ts';
import type { SentVersion, TakenVersion } from '#shared/operations/records/sync.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import type { FormerVersion, StoredCorrection } from '../store/metadata/metadata-schema.ts';

/*
 * What corrections have said, version by version, whoever stores them (docs/local-api.md, "Sync"): two services have the same where
 * they have the same versions. Who said it is no part of that, since a lab notes who handed it over, too.
 */

export interface CorrectionVersion {
  readonly correction_id: string;
  readonly version: number;
  /** Null: it was removed. */
  readonly what: KeptCorrection | null;
  /** "" for none. */
  readonly reason: string;
  readonly changed: Micros;
  readonly by: string;
  /** When the correction was made. */
  readonly first: Micros;
  /** Its place among those that were made at that time; 0 where it came from elsewhere. */
  readonly place: number;
}

/** Returns what is compared of a version. */
export function comparedIn({
  version,
  what,
  reason,
  changed,
}: Pick<CorrectionVersion, 'version' | 'what' | 'reason' | 'changed'>) {
  return { version, what, reason, changed };
}

export const isSameVersion = (a: CorrectionVersion, b: CorrectionVersion) =>
  isDeepStrictEqual(comparedIn(a), comparedIn(b));

/** Returns all versions of a device's corrections, those of each together and in order. */
export function versionsOf(
  rows: readonly StoredCorrection[],
  former: readonly FormerVersion[],
): readonly CorrectionVersion[] {
  const then = former.map((row): CorrectionVersion => {
    const { correction_id, by, first, place } = row;
    return { ...comparedIn(row), correction_id, by, first, place };
  });
  const now = rows.map((row): CorrectionVersion => {
    const { id, by, created, sequence } = row;
    return { ...comparedIn(row), correction_id: id, by, first: created, place: sequence };
  });
  return [...then, ...now].toSorted(inOrder);
}

function inOrder(a: CorrectionVersion, b: CorrectionVersion): number {
  if (a.correction_id !== b.correction_id) return a.correction_id < b.correction_id ? -1 : 1;
  return a.version - b.version || a.changed - b.changed;
}

/** Returns a digest of versions in order; "" for none. */
export function digestOfVersions(versions: readonly CorrectionVersion[]): string {
  if (versions.length === 0) return '';
  const texts = versions.map((each) => {
    const { what, ...said } = comparedIn(each);
    const fields = what && Object.entries(fieldsOfKept(what)).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return [each.correction_id, said.version, said.reason, said.changed, what?.kind ?? null, fields];
  });
  return hash('sha256', JSON.stringify(texts), 'hex').slice(0, 32);
}

/** Returns a version as it is sent. */
export function sentVersion(each: CorrectionVersion): SentVersion {
  const { correction_id, version, what, reason, changed, by, first } = each;
  const times = { changed: formatMicros(changed), first: formatMicros(first) };
  return { correction_id, version, says: what && givenFor(what, reason), reason, by, ...times };
}

const timeText = (time: Micros | null | undefined) =>
  typeof time === 'number' ? formatMicros(time) : undefined;
const pairText = ([raw, value]: ClockPoint): [string, string] => [formatMicros(raw), formatMicros(value)];

function givenFor(what: KeptCorrection, reason: string): NonNullable<SentVersion['says']> {
  const { from, to, until, at, ...fields } = fieldsOfKept(what);
  return {
    kind: what.kind,
    ...fields,
    ...(reason !== '' && { reason }),
    from: timeText(from),
    to: timeText(to),
    until: timeText(until),
    at: at ? [pairText(at[0]), pairText(at[1])] : undefined,
  };
}

/** Returns a version as it came. */
export function takenVersion({ says, ...version }: TakenVersion): CorrectionVersion {
  if (says === null) return { ...version, place: 0, what: null };
  return { ...version, place: 0, what: keptOf(says.kind, fieldsIn(says)), reason: says.reason ?? '' };
}
