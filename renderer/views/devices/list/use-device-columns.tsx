import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { NEVER_SEEN } from '#shared/values/time.ts';
import { nameOfKey } from '../../../components/facts/key-words.ts';
import { formatCount } from '../../../format.ts';
import { useKeySettings, useUsualSettings } from '../../../stores/key-settings.ts';
import { useTrend } from '../trends/use-trend.ts';
import { keyOfColumn } from '../shown/column-ids.ts';
import { columnsOf, FIRST_COLUMNS } from './device-columns.tsx';
import type { DeviceFilter } from '../shown/device-filter.ts';
import type { ListAddress } from '../shown/devices-address.ts';
import { KeyPicker } from './key-picker.tsx';
import { commonKeys, nameWidth, writtenAs, type WrittenAs } from '../shown/shown-keys.ts';
import type { ListChange } from '../shown/use-list-address.ts';

interface Of {
  readonly project_id: string;
  readonly devices: readonly FoundDevice[];
  readonly shown: ListAddress;
  readonly filter: DeviceFilter;
  readonly onChange: (change: ListChange) => void;
}

/** Columns that always show. */
const FIXED = ['name', 'actions'];

/** The columns of a project's devices, those of them that are shown, and what they are made of. */
export function useDeviceColumns({ project_id, devices, shown, filter, onChange }: Of) {
  const settingsOf = useKeySettings(project_id);
  const usualOf = useUsualSettings(project_id);
  const common = useMemo(() => commonKeys(devices), [devices]);
  // The same keys are the same list, whatever else came in.
  const named = (shown.keys ?? common).join(',');
  const keys = useMemo(() => named.split(',').filter(Boolean), [named]);
  const nameOf = useCallback((key: string) => nameOfKey(key, usualOf(key)), [usualOf]);
  // As for the keys: values that come in are mostly written as those before.
  const written = useMemo(
    () => JSON.stringify(keys.map((key) => writtenAs(devices, key, settingsOf))),
    [keys, devices, settingsOf],
  );
  const numbers = useMemo(() => JSON.parse(written) as readonly WrittenAs[], [written]);
  const trend = useTrend({ project_id, keys, devices, shown, filter, settingsOf, usualOf });
  // The menu reads what it lists when it is opened: the columns are the same for other devices.
  const latest = useRef({ devices, onChange });
  useEffect(() => void (latest.current = { devices, onChange }));
  const trendPicker = useMemo(
    () => (
      <KeyPicker
        project_id={project_id}
        devicesNow={() => latest.current.devices}
        chosen={trend.key}
        nameOf={nameOf}
        onChoose={(key) => latest.current.onChange({ trend: key })}
      />
    ),
    [project_id, trend.key, nameOf],
  );
  const widths = useMemo(() => JSON.stringify(widthsOf(devices)), [devices]);
  const every = useMemo(() => {
    const wide = JSON.parse(widths) as ReturnType<typeof widthsOf>;
    return columnsOf({ project_id, keys, trend, trendPicker, settingsOf, nameOf, numbers, ...wide });
  }, [project_id, keys, trend, trendPicker, settingsOf, nameOf, numbers, widths]);
  const chosen = shown.columns ?? FIRST_COLUMNS;
  const columns = useMemo(
    () =>
      every.filter(({ id, has }) => {
        const choice = keyOfColumn(id) === null ? id : 'values';
        return (FIXED.includes(choice) || chosen.includes(choice)) && (!has || devices.some(has));
      }),
    [every, chosen, devices],
  );
  return { every, columns, chosen, trend, settingsOf, nameOf };
}

/** What columns take their widths from. */
function widthsOf(devices: readonly FoundDevice[]) {
  const most = devices.reduce((records, device) => Math.max(records, device.records), 0);
  return {
    nameWidth: nameWidth(devices),
    countLength: formatCount(most).length,
    isRecordings: devices.every(({ last_seen, newest }) => last_seen === NEVER_SEEN && newest !== null),
  };
}
