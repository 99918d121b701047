import { Text } from '@mantine/core';
import { parseInstant } from '#shared/values/time.ts';
import { CorrectedSign } from '../../../components/corrections/corrected-sign.tsx';
import { DeviceStatus } from '../../../components/facts/device-status.tsx';
import { formatBare, nameOfKey, normalText, shortValue } from '../../../components/facts/key-words.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import { OutsideMark } from '../../../components/facts/outside-mark.tsx';
import { shownName } from '../../../components/facts/shown-name.ts';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import type { LiveSource } from '../../../stores/dashboard/live-groups.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { useLive } from '../live/dashboard-live.ts';
import type { Live } from '../live/live-store.ts';
import type { WidgetViewProps } from './widget-view.ts';
import classes from './widget.module.css';

/** Last values: each with its unit, its normal range, its age and how its device is. */
export function ValueWidget({ sources, settingsOf }: WidgetViewProps) {
  const lives = useLive(sources);
  const error = lives.find((live) => live.error !== null)?.error ?? null;
  if (error !== null && !lives.some(({ isKnown }) => isKnown)) return <Problem message={error} />;
  return (
    <ul className={classes['values']} data-alone={sources.length === 1 || undefined}>
      {sources.map((source, at) => (
        <LastValue
          key={`${source.device_id} ${source.key}`}
          source={source}
          live={lives[at]}
          settingsOf={settingsOf}
        />
      ))}
    </ul>
  );
}

interface LastValueProps {
  readonly source: LiveSource;
  readonly live: Live | undefined;
  readonly settingsOf: SettingsOf;
}

function LastValue({ source: { device_id, key }, live, settingsOf }: LastValueProps) {
  const settings = settingsOf(device_id, key);
  const { device = null, value = null, isKnown = false } = live ?? {};
  const at = value && parseInstant(value.timestamp);
  const hasRange = settings.low !== null || settings.high !== null;
  return (
    <li data-outside={value?.outside || undefined}>
      <span className={classes['name']} dir="auto">
        {device && <DeviceStatus device={device} compact size={10} />}{' '}
        {device ? `${shownName(device.name)} · ` : ''}
        {nameOfKey(key, settings)}
      </span>
      {value && (
        <span className={classes['big']} title={formatBare(value.value, { decimals: null })}>
          {shortValue(value.value, settings)}
          {value.corrected && <CorrectedSign size={13} />}
          {value.outside && <OutsideMark settings={settings} />}
        </span>
      )}
      {!isKnown && <Loading h={28} label="Loading the last value" />}
      {isKnown && device === null && <Text size="sm">This device is not in the project any more.</Text>}
      {device && value === null && (
        <Text size="sm" c="dimmed">
          Nothing stored yet.
        </Text>
      )}
      <span className={classes['small']}>
        {at !== null && <Moment at={at} relative />}
        {hasRange && ` · normally ${normalText(settings)}`}
      </span>
    </li>
  );
}
