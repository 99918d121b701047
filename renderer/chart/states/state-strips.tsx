import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useMemo, useState, type ReactNode } from 'react';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { nowMicros, type Zone } from '../../time.ts';
import { timeTicks } from '../scale/ticks.ts';
import { useStatistics } from '../controls/legend/use-statistics.ts';
import type { ChartColors } from '../plot/palette.ts';
import { timeLabels } from '../scale/time-labels.ts';
import type { TimeSpan } from '../time/window.ts';
import { versionOf, type Through } from '../view.ts';
import { StateStrip } from './state-strip.tsx';
import classes from './states.module.css';
import { xOf } from './strip-paths.ts';
import { shareWords, stripOf } from './strip.ts';
import { expectedStrips } from './texts-of.ts';
import { useStates } from './use-states.ts';

/** Strips that are shown until all are asked for: the chart is to stay in view. */
const FIRST_STRIPS = 4;
/** Pixels, as states.module.css and state-strip.tsx have them. */
const STRIP_HEIGHT = 43;
const GAP = 6;

/** Where the plot lies above the strips, in CSS pixels of what holds both. */
export interface PlotPlace {
  readonly left: number;
  readonly width: number;
}

interface StateStripsProps {
  readonly project_id: string;
  readonly device_id: string;
  readonly summary: DeviceSummary;
  readonly through: Through;
  /** Null while it is not known. */
  readonly window: TimeSpan | null;
  /** Absent: there is no plot, and the strips have the time below them. */
  readonly place?: PlotPlace | null;
  readonly zone: Zone;
  readonly colors: ChartColors;
  readonly nameOf?: (key: string) => string;
  /** Stands here where there is no state to show. */
  readonly empty?: ReactNode;
}

/** The texts and booleans of a device below its chart, or in its place: what held when, and for how long. */
export function StateStrips({
  project_id,
  device_id,
  summary,
  through,
  window,
  place,
  ...look
}: StateStripsProps) {
  const { zone, colors, nameOf = (key: string) => key, empty } = look;
  const { ref, width: room } = useElementSize();
  const [isAll, setIsAll] = useState(false);
  const isAlone = place === undefined;
  const left = place?.left ?? 0;
  const width = Math.floor(isAlone ? room : (place?.width ?? 0));
  const shownWindow = width > 0 ? window : null;
  const states = useStates({ project_id, device_id, summary, through, window: shownWindow, width });
  const strips = useMemo(() => states?.flatMap((key) => stripOf(key, nowMicros()) ?? []) ?? [], [states]);
  const booleans = useMemo(
    () => strips.flatMap(({ key, words }) => (words.every(isBoolean) ? key : [])),
    [strips],
  );
  const { view, revision } = through;
  const version = versionOf(summary.records, revision);
  const shares = useStatistics({ project_id, device_id, keys: booleans, view, window, version });
  const shown = isAll ? strips : strips.slice(0, FIRST_STRIPS);
  const awaited = states ? 0 : Math.min(FIRST_STRIPS, expectedStrips(summary));
  const more = strips.length - shown.length;
  return (
    <div
      ref={ref}
      className={classes['strips']}
      style={{
        minHeight: awaited === 0 ? undefined : awaited * (STRIP_HEIGHT + GAP) - GAP,
        // Below a plot it takes no room without a state, nor the gap around it.
        display: !isAlone && awaited === 0 && strips.length === 0 ? 'none' : undefined,
      }}
      data-testid="states"
      data-strips={strips.length}
    >
      {window &&
        shown.map((strip) => {
          const share = booleans.includes(strip.key) ? (shares.get(strip.key)?.mean ?? null) : null;
          return (
            <div key={strip.key} style={{ marginLeft: left, width }}>
              <StateStrip
                strip={strip}
                facts={share === null ? null : shareWords(share, strip)}
                label={nameOf(strip.key)}
                window={window}
                width={width}
                zone={zone}
                colors={colors}
              />
            </div>
          );
        })}
      {window && isAlone && shown.length > 0 && <TimeRow window={window} width={width} zone={zone} />}
      {states !== null && strips.length === 0 && empty}
      {more > 0 && (
        <Button
          size="compact-xs"
          variant="subtle"
          style={{ alignSelf: 'flex-start', marginLeft: left }}
          onClick={() => setIsAll(true)}
        >
          {`Show ${more} more states`}
        </Button>
      )}
    </div>
  );
}

const isBoolean = (word: string) => word === 'true' || word === 'false';

const LABEL_APART = 110;

function TimeRow({
  window,
  width,
  zone,
}: {
  readonly window: TimeSpan;
  readonly width: number;
  readonly zone: Zone;
}) {
  const { at, step } = timeTicks(window, Math.max(2, width / LABEL_APART), zone);
  const x = xOf(window, width);
  const labels = timeLabels(at, step, zone);
  return (
    <svg width={width} height={36} className={classes['axis'] ?? ''} aria-hidden>
      {at.map((tick, index) => {
        const [clock = '', day = ''] = (labels[index] ?? '').split('\n');
        const place = Math.min(width - 34, Math.max(34, x(tick * 1000)));
        return (
          <g key={tick} fill="currentcolor" fontSize={12} textAnchor="middle">
            <path d={`M${x(tick * 1000)} 0v5`} stroke="currentcolor" />
            <text x={place} y={17}>
              {clock}
            </text>
            <text x={place} y={32}>
              {day}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
