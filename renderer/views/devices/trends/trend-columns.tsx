import type { ReactNode } from 'react';
import type { FoundDevice, FoundValue } from '#shared/operations/metadata/devices.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { may } from '../../../bridge/distant.ts';
import { shortNumber } from '../../../components/facts/key-words.ts';
import { shortenedKey } from '../../../format.ts';
import { decimalsOf } from '../../../numbers.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { plainWidth, widthOf, type DeviceColumn } from '../shown/device-column.ts';
import { lengthsOf } from '../shown/shown-keys.ts';
import { LEAST_DEVICES, UNLIKE_FROM } from './comparison.ts';
import { Curve } from './curve.tsx';
import { DeviationCell } from './deviation-cell.tsx';
import { deviationDecimals, deviationText } from './deviation-words.ts';
import type { Scale } from './scale.ts';
import type { Trend } from './use-trend.ts';

export interface TrendColumnsOf {
  readonly project_id: string;
  readonly settingsOf: SettingsOf;
  /** Returns the name of a key. */
  readonly nameOf: (key: string) => string;
  readonly trend: Trend;
  /** Chooses that key. */
  readonly trendPicker: ReactNode;
}

/** Pixels that a curve has at least. */
const LEAST_CURVE = 150;
/** Pixels of what chooses the key, beside the header. */
const PICKER = 26;
/** Pixels of a curve in a row. */
const CURVE_HEIGHT = 28;

const isDrawn = ({ value }: FoundValue) => typeof value !== 'string';

/** The last day of each device, on one scale. */
export function trendColumn(of: TrendColumnsOf): DeviceColumn {
  const { project_id, settingsOf, nameOf } = of;
  const { key: trend, compared, settings } = of.trend;
  // Under a key's name nothing else is drawn.
  const keyOf = ({ values }: FoundDevice) => trend || (values.find(isDrawn)?.key ?? '');
  const header = trend === '' ? 'Last day' : `${shortenedKey(nameOf(trend), 24)}, last day`;
  const note = compared.scale ? scaleText(compared.scale, settings) : null;
  const whole = plainWidth(header) + PICKER;
  return {
    id: 'trend',
    header,
    ...(note !== null && { note }),
    menu: of.trendPicker,
    // What is left over is for the curves.
    width: `minmax(${Math.min(LEAST_CURVE, whole)}px, 1fr)`,
    wishes: note === null ? [whole] : [whole, whole + plainWidth(note)],
    rank: 7,
    has: (device) => may('series.trends') && device.newest !== null && keyOf(device) !== '',
    cell: (device) => {
      const key = keyOf(device);
      return (
        key !== '' && (
          <Curve
            project_id={project_id}
            device={device}
            keyName={key}
            settings={settingsOf(device.id, key)}
            scale={trend === '' ? 'own' : compared.scale}
            height={CURVE_HEIGHT}
          />
        )
      );
    },
  };
}

/** How far the devices lie from one another: sorted by distance, whichever side it is on. */
export function deviationColumn(of: TrendColumnsOf): DeviceColumn {
  const { key, compared, settings, isOffered } = of.trend;
  const { by, deviations, ends } = compared;
  const decimals = by ? deviationDecimals(by, of.trend.decimals) : 0;
  const texts = ends.map((end) => deviationText(end, decimals, settings));
  const { length } = lengthsOf(texts);
  const sizeOf = ({ id }: FoundDevice) => deviations.get(id)?.times ?? 0;
  return {
    id: 'deviation',
    header: 'Deviation',
    about: `How far the level of ${of.nameOf(key)} over the last day lies from the median of the devices, in the hours that it has; marked from ${UNLIKE_FROM} × MAD on. At least ${LEAST_DEVICES} devices.`,
    width: widthOf('Deviation', length),
    align: 'end',
    rank: 7.5,
    greatestFirst: true,
    compare: (a, b) => sizeOf(a) - sizeOf(b),
    // Until they are read a press on the header asks for it.
    has: ({ id }) => (compared.isKnown ? deviations.has(id) : isOffered),
    cell: ({ id }) => {
      const deviation = deviations.get(id);
      return deviation && <DeviationCell deviation={deviation} decimals={decimals} settings={settings} />;
    },
  };
}

/** `18.0 to 31.2 °C`. */
export function scaleText({ least, most }: Scale, settings: KeySettings): string {
  const alike = decimalsOf([least, most].map((end) => Number(end.toPrecision(3))));
  const [from, to] = [least, most].map((end) => shortNumber(end, settings, alike));
  return `${from} to ${to}${settings.unit === '' ? '' : `\u00A0${settings.unit}`}`;
}
