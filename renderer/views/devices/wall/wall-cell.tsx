import { memo } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { CorrectedSign, OTHERS_CORRECTED } from '../../../components/corrections/corrected-sign.tsx';
import { DeviceStatus } from '../../../components/facts/device-status.tsx';
import { shownName } from '../../../components/facts/shown-name.ts';
import { shortened } from '../../../format.ts';
import { hrefTo } from '../../../router.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { LastValue } from '../list/values-cell.tsx';
import { Curve } from '../trends/curve.tsx';
import { deviationDecimals } from '../trends/deviation-words.ts';
import { DeviationCell } from '../trends/deviation-cell.tsx';
import type { Trend } from '../trends/use-trend.ts';
import classes from './wall.module.css';

const CURVE_HEIGHT = 56;
/** Pixels between two cells. */
export const GAP = 8;

interface WallCellProps {
  readonly project_id: string;
  readonly device: FoundDevice;
  readonly index: number;
  readonly count: number;
  /** Pixels from the top of the wall. */
  readonly top: number;
  /** Which one of how many beside one another. */
  readonly at: number;
  readonly across: number;
  /** Whether Tab leads to it. */
  readonly isActive: boolean;
  readonly trend: Trend;
  readonly settingsOf: SettingsOf;
}

/** A device on the wall: its name, how far it lies from the others, its curve and its newest value. */
export const WallCell = memo(function WallCell(props: WallCellProps) {
  const { project_id, device, index, count, top, at, across, isActive, trend, settingsOf } = props;
  const { compared } = trend;
  const { id, name, corrected, values } = device;
  const key = trend.key || (values.find(({ value }) => typeof value !== 'string')?.key ?? '');
  const value = values.find((one) => one.key === key);
  const deviation = compared.deviations.get(id);
  const settings = settingsOf(id, key);
  const width = `calc((100% - ${(across - 1) * GAP}px) / ${across})`;
  return (
    <div
      role="listitem"
      aria-setsize={count}
      aria-posinset={index + 1}
      className={classes['cell']}
      style={{ top, width, left: `calc((${width} + ${GAP}px) * ${at})` }}
    >
      <a
        href={hrefTo({ screen: 'device', project_id, device_id: id, tab: 'chart' })}
        data-cell={index}
        data-unlike={deviation?.isUnlike ?? false}
        className={classes['link']}
        tabIndex={isActive ? 0 : -1}
      >
        <span className={classes['line']}>
          <DeviceStatus device={device} compact size={10} />
          <span className={classes['name']} dir="auto" title={name}>
            {shortened(shownName(name), 100)}
          </span>
          {corrected && value?.corrected !== true && <CorrectedSign words={OTHERS_CORRECTED} />}
        </span>
        {key === '' ? (
          <span style={{ height: CURVE_HEIGHT }} />
        ) : (
          <Curve
            project_id={project_id}
            device={device}
            keyName={key}
            settings={settings}
            scale={trend.key === '' ? 'own' : compared.scale}
            height={CURVE_HEIGHT}
          />
        )}
        <span className={classes['line']}>
          {value && <LastValue value={value} settings={settings} named={trend.key === ''} />}
          <span className={classes['end']}>
            {deviation && compared.by && (
              <DeviationCell
                deviation={deviation}
                decimals={deviationDecimals(compared.by, trend.decimals)}
                settings={settings}
              />
            )}
          </span>
        </span>
      </a>
    </div>
  );
});
