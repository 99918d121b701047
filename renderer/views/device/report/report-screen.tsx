import { Button, Group, TextInput } from '@mantine/core';
import { IconPrinter, IconRefresh, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import type { ChartAddress } from '../../../chart/address.ts';
import { AllKeys, MOST_PICKED } from '../../../chart/controls/legend/more-keys.tsx';
import { RangeMenu } from '../../../chart/controls/range-menu.tsx';
import { useBooleansApart } from '../../../chart/states/use-booleans.ts';
import { ALL } from '../../../chart/time/range.ts';
import { viewOf } from '../../../chart/view.ts';
import { nameOfKey } from '../../../components/facts/key-words.ts';
import { Screen } from '../../../components/screen/screen.tsx';
import { DeletedHere } from '../../../components/work/deleted-here.tsx';
import { goTo } from '../../../router.ts';
import { deviceDetail, deviceKey, type DeviceDetail } from '../../../stores/devices.ts';
import { keep, readKept } from '../../../stores/kept.ts';
import { useKeySettings } from '../../../stores/key-settings.ts';
import { useLegendKeys } from '../chart/use-legend-keys.ts';
import type { ReportShown } from './report-address.ts';
import { ReportSheet } from './report-sheet.tsx';
import classes from './report.module.css';
import { Loading } from '../../../components/work/loading.tsx';

interface ReportScreenProps extends ReportShown {
  readonly project_id: string;
  readonly device_id: string;
}

/** A device's report: what it is of is chosen above it, and what is below is what is printed. */
export function ReportScreen({ project_id, device_id, chart = {} }: ReportScreenProps) {
  const key = deviceKey(project_id, device_id, viewOf(chart.view ?? 'corrected'));
  deviceDetail.useWatch(key);
  const { value, error } = deviceDetail.useValue(key);
  if (value) return <Report {...{ project_id, chart }} detail={value} />;
  return (
    <Screen title="Report">
      {error === null ? (
        <Loading h={320} label="Loading the device" />
      ) : (
        <DeletedHere {...{ project_id, device_id }} message={error} onRetry={deviceDetail.reload} />
      )}
    </Screen>
  );
}

interface ReportProps {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  readonly chart: ChartAddress;
}

const MADE_BY = 'report.made-by';
/** Letters of a name. */
const MOST_LETTERS = 100;

function Report({ project_id, detail, chart }: ReportProps) {
  const device_id = detail.device.id;
  const apart = useBooleansApart({ project_id, device_id }, detail.summary);
  if (apart === null) return <Loading h={320} label="Loading the device" />;
  return <ReportOf {...{ project_id, chart }} detail={{ ...detail, summary: apart }} />;
}

function ReportOf({ project_id, detail, chart }: ReportProps) {
  const { device, summary } = detail;
  const device_id = device.id;
  const settingsOf = useKeySettings(project_id);
  const numeric = summary.keys.filter((one) => one.numeric > 0).map(({ key }) => key);
  const view = viewOf(chart.view ?? 'corrected');
  const found = useLegendKeys({ project_id, device_id, view, numeric, picked: chart.keys, settingsOf });
  const keys = found?.filter((key) => !chart.hidden?.includes(key)) ?? null;
  const [by, setBy] = useState(() => readKept(MADE_BY) ?? '');
  const [round, setRound] = useState(0);
  const [isReady, setReady] = useState(false);
  const { range = ALL, window = null, zone = 'local', far = false } = chart;
  // Of another span, of other keys, or by other units or normal ranges it is another report.
  const question = JSON.stringify([
    range,
    window,
    far,
    round,
    keys?.map((key) => [key, settingsOf(device_id, key)]),
  ]);
  const change = (part: { readonly [Part in keyof ChartAddress]?: ChartAddress[Part] | null }) => {
    const parts = Object.entries({ ...chart, ...part }).filter(([, value]) => value !== null);
    goTo({ screen: 'report', project_id, device_id, chart: Object.fromEntries(parts) });
  };
  return (
    <Screen
      title={`Report of ${device.name}`}
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={16} />}
            onClick={() => setRound(round + 1)}
          >
            Read again
          </Button>
          <Button
            size="xs"
            leftSection={<IconPrinter size={16} />}
            disabled={!isReady}
            onClick={() => globalThis.print()}
          >
            Print or save as PDF…
          </Button>
        </>
      }
    >
      <Group gap="xs" className={classes['choices'] ?? ''}>
        <RangeMenu
          view={{ range, window }}
          seen={window}
          zone={zone}
          onView={(next) => change({ range: next.range === ALL ? null : next.range, window: next.window })}
          onZone={(next) => change({ zone: next === 'utc' ? next : null })}
        />
        {keys && numeric.length > 0 && (
          <AllKeys
            size="sm"
            label={`Keys: ${keys.length} of ${numeric.length}…`}
            keys={numeric}
            picked={keys}
            isFull={keys.length >= MOST_PICKED}
            nameOf={(key) => nameOfKey(key, settingsOf(device_id, key))}
            onPick={(next) => change({ keys: next, hidden: null })}
          />
        )}
        <TextInput
          aria-label="Made by"
          placeholder="Made by"
          leftSection={<IconUser size={16} />}
          maxLength={MOST_LETTERS}
          value={by}
          onChange={({ currentTarget: { value } }) => {
            setBy(value);
            keep(MADE_BY, value);
          }}
        />
      </Group>
      {keys === null ? (
        <Loading h={480} label="Loading the report" />
      ) : (
        <ReportSheet
          key={question}
          onReady={setReady}
          {...{ project_id, detail, chart, keys, numeric, settingsOf, by }}
        />
      )}
    </Screen>
  );
}
