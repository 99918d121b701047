import type { ClockPoint, CorrectionAct, KeptCorrection } from '#shared/domain/corrections.ts';
import type { CorrectionVersion, ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { FormerVersion, StoredCorrection } from '../../store/metadata/metadata-schema.ts';

/* Corrections and their history as the service shows them (docs/local-api.md, "Corrections"). */

type ShownFields = NonNullable<CorrectionVersion['after']>;

export function correctionView(row: StoredCorrection): ShownCorrection {
  const { id, device_id, what, version, created, changed, by } = row;
  return {
    id,
    device_id,
    kind: what.kind,
    ...fieldsView(what, row.reason),
    version,
    created: formatMicros(created),
    changed: formatMicros(changed),
    by,
  };
}

function fieldsView(what: KeptCorrection, why: string): ShownFields {
  const reason = why === '' ? {} : { reason: why };
  switch (what.kind) {
    case 'time': {
      const { by } = what;
      const clock = 'shift' in by ? { shift_us: by.shift } : { at: [pairView(by.at[0]), pairView(by.at[1])] };
      return { ...spanView(what), ...(clock as Pick<ShownFields, 'shift_us' | 'at'>), ...reason };
    }
    case 'replaced':
      return { former_id: what.device_id, until: formatMicros(what.until), ...reason };
    case 'derived': {
      const { key, of, within_s } = what;
      return { key, of, within_s, ...reason };
    }
    case 'quality': {
      const { keys, quality } = what;
      return { keys: keys && [...keys], ...spanView(what), quality, ...reason };
    }
    case 'calibration': {
      const { kind: _, from: __, to: ___, points, ...others } = what;
      const shown = 'gain' in points ? points : points.map(([raw, value]): [number, number] => [raw, value]);
      return { ...others, ...spanView(what), points: shown, ...reason };
    }
  }
}

const spanView = ({ from, to }: { readonly from?: number; readonly to?: number }) => ({
  ...(from !== undefined && { from: formatMicros(from) }),
  ...(to !== undefined && { to: formatMicros(to) }),
});

const pairView = ([raw, value]: ClockPoint): [string, string] => [formatMicros(raw), formatMicros(value)];

/** A version of a correction, the one that holds or a former one. */
type Version = Pick<
  FormerVersion,
  'correction_id' | 'what' | 'version' | 'changed' | 'by' | 'reason' | 'first' | 'place'
>;

/** Returns what became of corrections, latest first. */
export function historyView(
  rows: readonly StoredCorrection[],
  former: readonly FormerVersion[],
): CorrectionVersion[] {
  const now = rows.map((row): Version => ({
    ...row,
    correction_id: row.id,
    first: row.created,
    place: row.sequence,
  }));
  const byCorrection = Map.groupBy([...former, ...now], ({ correction_id }) => correction_id);
  const all = [...byCorrection.values()].flatMap((versions) => {
    const inOrder = versions.toSorted((a, b) => a.version - b.version || a.changed - b.changed);
    return inOrder.map((version, i) => ({ version, before: inOrder[i - 1] ?? null }));
  });
  return all
    .toSorted(
      ({ version: a }, { version: b }) =>
        b.changed - a.changed || b.first - a.first || b.place - a.place || b.version - a.version,
    )
    .map(({ version, before }) => versionView(version, before));
}

function versionView(version: Version, before: Version | null): CorrectionVersion {
  const { correction_id, what, changed, by, reason } = version;
  const was = before?.what ?? null;
  return {
    correction_id,
    kind: (what ?? was)?.kind ?? 'quality',
    version: version.version,
    act: actOf(what, was, before === null),
    at: formatMicros(changed),
    by,
    ...(reason !== '' && { reason }),
    before: was && fieldsView(was, before?.reason ?? ''),
    after: what && fieldsView(what, reason),
  };
}

function actOf(what: KeptCorrection | null, was: KeptCorrection | null, isFirst: boolean): CorrectionAct {
  if (what === null) return 'removed';
  if (was !== null) return 'changed';
  return isFirst ? 'created' : 'restored';
}
