import { IconArrowsDiff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useBooleansApartOfEach } from '../../chart/states/use-booleans.ts';
import { Empty } from '../../components/screen/empty.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { nameOfKey } from '../../components/facts/key-words.ts';
import { deviceDetail, deviceKey, everyDevice } from '../../stores/devices.ts';
import { useKeySettingsOfEach } from '../../stores/key-settings.ts';
import type { CompareShown } from './compare-address.ts';
import { MOST_LINES } from '../../chart/compare/modes.ts';
import { CompareChart } from './compare-chart.tsx';
import { CompareDevices } from './compare-devices.tsx';
import { CompareToolbar } from './compare-toolbar.tsx';
import { commonKeys, labelsOf, placedBy, type Compared } from '../../chart/compare/compared.ts';
import { useSavedName } from './use-saved-name.ts';
import { useCompareAddress } from './use-compare-address.ts';
import { Loading } from '../../components/work/loading.tsx';

/** Several devices side by side: the same keys over one another, above one another, or what lies between them. */
export function CompareScreen(told: CompareShown) {
  const { shown, change, changeChart } = useCompareAddress(told);
  const { devices: ids, mode = 'overlay', align = 'time', shifts = NO_SHIFTS, chart = NO_CHART } = shown;
  everyDevice.useWatch('all');
  const { value: all, error } = everyDevice.useValue('all');
  const placed = useMemo(() => placedBy(ids, all ?? []), [ids, all]);
  const details = deviceDetail.useEach(placed.map(({ project, device }) => deviceKey(project.id, device.id)));
  const settingsOf = useKeySettingsOfEach([...new Set(placed.map(({ project }) => project.id))]);
  const counted = useMemo(() => {
    const labels = labelsOf(placed);
    return placed.flatMap(({ project, device: { id, name } }, index): Compared[] => {
      const summary = details.get(deviceKey(project.id, id))?.value?.summary;
      const label = labels[index] ?? name;
      return summary ? [{ project_id: project.id, device_id: id, name, label, summary }] : [];
    });
  }, [placed, details]);
  const summaries = useBooleansApartOfEach(counted);
  // As text: what was read anew and is the same draws nothing anew.
  const found = JSON.stringify(
    counted.flatMap((device, index): Compared[] => {
      const summary = summaries[index];
      return summary ? [{ ...device, summary }] : [];
    }),
  );
  const devices = useMemo(() => JSON.parse(found) as readonly Compared[], [found]);
  const known = useMemo(() => commonKeys(devices), [devices]);
  const states = useMemo(() => commonKeys(counted).filter((key) => !known.includes(key)), [counted, known]);
  const mostKeys = Math.max(1, Math.floor(MOST_LINES / Math.max(1, placed.length)));
  const keys = useMemo(() => {
    const asked = (shown.keys ?? []).filter((key) => known.includes(key));
    return (asked.length > 0 ? asked : known.slice(0, 1)).slice(0, mostKeys);
  }, [shown.keys, known, mostKeys]);
  const nameOf = (key: string) => {
    const having = devices.find(({ summary }) => summary.keys.some((one) => one.key === key));
    return having ? nameOfKey(key, settingsOf(having.device_id, key)) : key;
  };
  // Another window draws none of its fields anew.
  const bar = useMemo(
    () => (
      <CompareDevices
        devices={devices}
        keys={keys}
        shifts={shifts}
        isFull={ids.length >= MOST_LINES}
        onAdd={({ id }) => change({ devices: [...placed.map(({ device }) => device.id), id] })}
        onRemove={(id) => change({ devices: ids.filter((other) => other !== id) })}
        onShift={(id, seconds) => change({ shifts: { ...shifts, [id]: seconds } })}
      />
    ),
    [devices, keys, shifts, ids, placed, change],
  );
  const saved = useSavedName(shown);
  const isReady = all !== null && devices.length === placed.length;
  const missing = all === null ? 0 : ids.length - placed.length;
  return (
    <Screen
      title={saved ?? 'Compare'}
      description={
        missing > 0
          ? `${missing} of the devices in this address ${missing === 1 ? 'is' : 'are'} not here any more.`
          : undefined
      }
    >
      {error !== null && <Problem message={error} onRetry={everyDevice.reload} />}
      {all === null ? error === null && <Loading h={320} label="Loading the devices" /> : bar}
      {all !== null && placed.length === 0 && (
        <Empty icon={IconArrowsDiff} title="Nothing to compare yet">
          Add devices: their keys are drawn over one another, or what lies between them.
        </Empty>
      )}
      {isReady && devices.length > 0 && keys.length === 0 && (
        <Empty icon={IconArrowsDiff} title="No numbers to compare">
          {states.length > 0
            ? 'These devices have stored no numbers. What is true or false is a state: the chart of each device shows it.'
            : 'These devices have stored no numbers.'}
        </Empty>
      )}
      {isReady && devices.length > 0 && keys.length > 0 && (
        <CompareChart
          devices={devices}
          keys={keys}
          mode={mode}
          align={align}
          shifts={shifts}
          chart={chart}
          settingsOf={settingsOf}
          onChart={changeChart}
        >
          <CompareToolbar
            keys={keys}
            known={known}
            states={states}
            mostKeys={mostKeys}
            mode={mode}
            align={align}
            nameOf={nameOf}
            onKeys={(next) => change({ keys: next })}
            onMode={(next) => change({ mode: next })}
            onAlign={(next) => change({ align: next })}
          />
        </CompareChart>
      )}
    </Screen>
  );
}

const NO_SHIFTS = {};
const NO_CHART = {};
