import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Zone } from '../../time.ts';
import type { SettingsOf } from '../../stores/key-settings.ts';
import type { ChartColors } from '../plot/palette.ts';
import type { TimeSpan } from '../time/window.ts';
import { excursionStrip, excursionWords } from './excursion-strip.ts';
import { StateStrip } from './state-strip.tsx';
import type { PlotPlace } from './state-strips.tsx';
import classes from './states.module.css';
import { useExcursions } from './use-excursions.ts';

/** Strips that are shown until all are asked for: the chart is to stay in view. */
const FIRST_STRIPS = 2;
/** Pixels of a strip with its gap, as states.module.css and state-strip.tsx have them. */
const EACH = 49;
const GAP = 6;

interface ExcursionStripsProps {
  readonly project_id: string;
  readonly device_id: string;
  /** Keys whose lines are shown. */
  readonly keys: readonly string[];
  readonly settingsOf: SettingsOf;
  /** Changes whenever the device has other records. */
  readonly version: number;
  readonly window: TimeSpan | null;
  readonly place: PlotPlace | null;
  readonly zone: Zone;
  readonly colors: ChartColors;
  readonly nameOf: (key: string) => string;
}

/** Keys with a normal range below their chart: when they lay outside of it, and when nobody measured. */
export function ExcursionStrips({ project_id, device_id, keys, settingsOf, ...look }: ExcursionStripsProps) {
  const { version, window, place, zone, colors, nameOf } = look;
  const [isAll, setIsAll] = useState(false);
  const width = place?.width ?? 0;
  const ranged = keys.flatMap((key) => {
    const { low, high, longest_gap_s } = settingsOf(device_id, key);
    return low === null && high === null ? [] : { key, by: JSON.stringify([low, high, longest_gap_s]) };
  });
  const asked = isAll ? ranged : ranged.slice(0, FIRST_STRIPS);
  const told = useExcursions({
    project_id,
    device_id,
    keys: asked,
    window: width > 0 && asked.length > 0 ? window : null,
    width,
    version,
  });
  const strips = useMemo(
    () =>
      (told ?? []).flatMap((one) => {
        const strip = excursionStrip(one);
        return strip ? { strip, facts: excursionWords(one) } : [];
      }),
    [told],
  );
  if (ranged.length === 0 || place === null) return null;
  const shown = strips.filter(({ strip }) => asked.some(({ key }) => key === strip.key));
  const more = ranged.length - asked.length;
  return (
    <div
      className={classes['strips']}
      style={{ minHeight: told === null ? asked.length * EACH - GAP : undefined }}
      data-testid="excursions"
      data-strips={shown.length}
    >
      {window &&
        shown.map(({ strip, facts }) => (
          <div key={strip.key} style={{ marginLeft: place.left, width }}>
            <StateStrip
              strip={strip}
              facts={facts}
              label={nameOf(strip.key)}
              what=" against its normal range"
              window={window}
              width={width}
              zone={zone}
              colors={colors}
            />
          </div>
        ))}
      {more > 0 && (
        <Button
          size="compact-xs"
          variant="subtle"
          style={{ alignSelf: 'flex-start', marginLeft: place.left }}
          onClick={() => setIsAll(true)}
        >
          {`Show ${more} more against their normal ranges`}
        </Button>
      )}
    </div>
  );
}
