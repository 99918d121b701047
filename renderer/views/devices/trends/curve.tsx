import { memo, useEffect, useMemo } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { TREND_COLUMNS } from '#shared/operations/records/series.ts';
import { useConnection } from '../../../bridge/connection.ts';
import { nameOfKey, shortValue } from '../../../components/facts/key-words.ts';
import { trendPath, trendY, type TrendColumns } from '../../../chart/draw/trend-path.ts';
import classes from './curve.module.css';
import type { Scale } from './scale.ts';
import { curveName, useTrends, wantCurve } from './trends.ts';

interface CurveProps {
  readonly project_id: string;
  readonly device: FoundDevice;
  readonly keyName: string;
  readonly settings: KeySettings;
  /** That of all devices; null while nothing is known. */
  readonly scale: Scale | null | 'own';
  /** Pixels. It is as wide as what it stands in. */
  readonly height: number;
}

/** The last day of a key on the scale of all devices, over a band that is the key's normal range. */
export const Curve = memo(function Curve(props: CurveProps) {
  const { project_id, device, keyName, settings, scale: given, height } = props;
  const { id, records, newest } = device;
  const columns = useTrends(({ curves }) => curves.get(curveName(id, keyName)) ?? null);
  const made = useConnection((connection) => connection.made);
  const dropped = useTrends((known) => known.dropped.get(id) ?? 0) + made;
  useEffect(
    () => wantCurve({ project_id, key: keyName }, { id, records, newest, dropped }),
    [project_id, keyName, id, records, newest, dropped],
  );
  const scale = useMemo(() => (given === 'own' ? columns && endsOf(columns) : given), [given, columns]);
  const path = useMemo(
    () => (columns && scale ? trendPath(columns, height, scale) : ''),
    [columns, scale, height],
  );
  if (!columns || !scale || path === '') return <div className={classes['none']} style={{ height }} />;
  const text = words(columns, keyName, settings);
  return (
    <svg
      className={classes['curve']}
      viewBox={`0 0 ${TREND_COLUMNS} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      <Band settings={settings} scale={scale} height={height} />
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
});

interface BandProps {
  readonly settings: KeySettings;
  readonly scale: Scale;
  readonly height: number;
}

/** The normal range; nothing of it where it has no end. */
function Band({ settings: { low, high }, scale, height }: BandProps) {
  if (low === null && high === null) return null;
  const y = trendY(scale, height);
  // One without an end goes on beyond the scale.
  const top = high === null || high > scale.most ? 0 : y(high);
  const bottom = low === null || low < scale.least ? height : y(low);
  return <rect x={0} y={top} width={TREND_COLUMNS} height={Math.max(0, bottom - top)} />;
}

function endsOf({ min, max }: TrendColumns): Scale {
  const numbers = [...min, ...max].filter((number) => number !== null);
  return { least: Math.min(...numbers), most: Math.max(...numbers) };
}

function words(columns: TrendColumns, key: string, settings: KeySettings): string {
  const { least, most } = endsOf(columns);
  return `${nameOfKey(key, settings)}, last day: ${shortValue(least, settings)} to ${shortValue(most, settings)}`;
}
