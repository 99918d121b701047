import type { ReactNode } from 'react';
import type { FoundDevice, FoundValue } from '#shared/operations/metadata/devices.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { may } from '../../../bridge/distant.ts';
import { shortNumber } from '../../../components/facts/key-words.ts';
import { shortened } from '../../../format.ts';
import { decimalsOf } from '../../../numbers.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { widthOf, type DeviceColumn } from '../list/device-column.ts';
import { lengthsOf } from '../list/shown-keys.ts';
import { LEAST_DEVICES, UNLIKE_FROM } from './comparison.ts';
import { Curve } from './curve.tsx';
import { DeviationCell } from './deviation-cell.tsx';
import { deviationDecimals, deviationText } from './deviation-words.ts';
import type { Scale } from './scale.ts';
import type { Compared } from './compared.ts';

export interface TrendColumnsOf {
  readonly project_id: string;
  readonly settingsOf: SettingsOf;
  /** Returns the name of a key. */
  readonly nameOf: (key: string) => string;
  /** The key whose last day is shown; empty: the first that a device has. */
  readonly trend: string;
  /** How the devices are beside one another by that key. */
  readonly compared: Compared;
  /** Whether there are enough devices to be compared, as far as is known. */
  readonly isOffered: boolean;
  /** Its settings as most devices have them. */
  readonly trendSettings: KeySettings;
  /** Chooses that key. */
  readonly trendPicker: ReactNode;
}

/** Pixels of a curve in a row. */
const CURVE_HEIGHT = 28;

const isDrawn = ({ value }: FoundValue) => typeof value !== 'string';

/** The last day of each device, on one scale. */
export function trendColumn(of: TrendColumnsOf): DeviceColumn {
  const { project_id, trend, compared, trendSettings, settingsOf, nameOf } = of;
  // Under a key's name nothing else is drawn.
  const keyOf = ({ values }: FoundDevice) => trend || (values.find(isDrawn)?.key ?? '');
  return {
    id: 'trend',
    header: trend === '' ? 'Last day' : `${shortened(nameOf(trend), 24)}, last day`,
    ...(compared.scale && { note: scaleText(compared.scale, trendSettings) }),
    menu: of.trendPicker,
    // What is left over is for the curves.
    width: 'minmax(130px, 1fr)',
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
  const { compared, trend, trendSettings: settings, nameOf } = of;
  const { by, deviations, ends } = compared;
  const texts = by ? ends.map((end) => deviationText(end, deviationDecimals(by), settings)) : [];
  const { length } = lengthsOf(texts);
  const sizeOf = ({ id }: FoundDevice) => deviations.get(id)?.times ?? 0;
  return {
    id: 'deviation',
    header: 'Deviation',
    about: `How far the level of ${nameOf(trend)} over the last day lies from the median of the devices; marked from ${UNLIKE_FROM} × MAD on. At least ${LEAST_DEVICES} devices.`,
    width: widthOf('Deviation', length),
    align: 'end',
    rank: 6,
    greatestFirst: true,
    compare: (a, b) => sizeOf(a) - sizeOf(b),
    // Until they are read a press on the header asks for it.
    has: ({ id }) => (compared.isKnown ? deviations.has(id) : of.isOffered),
    cell: ({ id }) => {
      const deviation = deviations.get(id);
      return deviation && by && <DeviationCell deviation={deviation} by={by} settings={settings} />;
    },
  };
}

/** `18.0 to 31.2 °C`. */
export function scaleText({ least, most }: Scale, settings: KeySettings): string {
  const alike = decimalsOf([least, most].map((end) => Number(end.toPrecision(3))));
  const [from, to] = [least, most].map((end) => shortNumber(end, settings, alike));
  return `${from} to ${to}${settings.unit === '' ? '' : `\u00A0${settings.unit}`}`;
}
