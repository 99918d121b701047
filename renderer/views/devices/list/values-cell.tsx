import type { FoundValue } from '#shared/operations/metadata/devices.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { parseInstant } from '#shared/values/time.ts';
import { CorrectedSign } from '../../../components/corrections/corrected-sign.tsx';
import { formatValue, nameOfKey, shortValue } from '../../../components/facts/key-words.ts';
import { OutsideMark } from '../../../components/facts/outside-mark.tsx';
import { formatLocal, zoneOffset } from '../../../time.ts';
import { AlignedNumber } from './aligned-number.tsx';
import classes from './device-cells.module.css';
import type { WrittenAs } from '../shown/shown-keys.ts';

function exactly(value: FoundValue, settings: KeySettings): string {
  const at = parseInstant(value.timestamp);
  const time = at === null ? value.timestamp : `${formatLocal(at)} (${zoneOffset(at)})`;
  const exact = formatValue(value.value, { ...settings, decimals: null });
  return `${nameOfKey(value.key, settings)}: ${exact}, ${time}`;
}

interface ValueProps {
  readonly value: FoundValue;
  readonly settings: KeySettings;
  /** Format of the numbers above and below it; absent: it stands alone. */
  readonly alike?: WrittenAs | undefined;
  /** Where several of different keys stand in one cell. */
  readonly named?: boolean;
}

/** The last value of a key, with a warning where it lies outside of its normal range, and a sign where the key is corrected. */
export function LastValue({ value, settings, alike, named = false }: ValueProps) {
  return (
    <span className={classes['value']} title={exactly(value, settings)} data-outside={value.outside}>
      {value.outside && <OutsideMark settings={settings} short />}
      {value.corrected && <CorrectedSign size={13} />}
      {named && <span className={classes['key']}>{nameOfKey(value.key, settings)}</span>}
      <AlignedNumber
        text={shortValue(value.value, settings, alike?.decimals)}
        tail={typeof value.value === 'number' ? (alike?.tail ?? 0) : 0}
      />
    </span>
  );
}
