import { Button, Group, Text } from '@mantine/core';
import { IconBell, IconPlus } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { parseInstant } from '#shared/values/time.ts';
import { useMay } from '../../../bridge/distant.ts';
import type { ShownView } from '../../../chart/view.ts';
import { nameWithUnit } from '../../../components/facts/key-words.ts';
import { Empty } from '../../../components/screen/empty.tsx';
import { useShortcuts } from '../../../components/screen/use-shortcuts.ts';
import { Loading } from '../../../components/work/loading.tsx';
import { May } from '../../../components/work/may.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf } from '../../../format.ts';
import { goTo, hrefTo } from '../../../router.ts';
import { windowAround } from '../../../rules/firing-window.ts';
import { tagOf } from '../../../rules/rule-draft.ts';
import { RuleEditor } from '../../../rules/rule-editor.tsx';
import { isFullOf, NoRoomForRules } from '../../../rules/no-room-for-rules.tsx';
import { RuleList } from '../../../rules/rule-list.tsx';
import type { Tried } from '../../../rules/use-tried.ts';
import type { DeviceDetail } from '../../../stores/devices.ts';
import { useKeySettings } from '../../../stores/key-settings.ts';
import { rules } from '../../../stores/rules/rules.ts';
import { hideTried, showTried } from '../../../stores/rules/tried-spans.ts';
import { nowMicros } from '../../../time.ts';
import { ChartPanel } from '../chart/chart-panel.tsx';
import type { DeviceShown, ListShown } from '../device-address.ts';
import classes from './rules-panel.module.css';

interface RulesPanelProps extends Pick<DeviceShown, 'chart'> {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  /** `open` is the rule that is written: its id, or `new`. */
  readonly list: ListShown;
  readonly shown: ShownView;
  readonly onImport: () => void;
}

/** The rules that watch a device: its own, and those by a tag that it has. */
export function RulesPanel({ project_id, detail, chart = {}, list, shown, onImport }: RulesPanelProps) {
  const { device, summary } = detail;
  const device_id = device.id;
  rules.useWatch(project_id);
  const { value, error } = rules.useValue(project_id);
  const settingsOf = useKeySettings(project_id);
  const ofKey = useCallback((key: string) => settingsOf(device_id, key), [settingsOf, device_id]);
  const ofRule = useCallback((_rule: DeviceFunction, key: string) => ofKey(key), [ofKey]);
  const mayCreate = useMay('functions.create');
  const at = { screen: 'device', project_id, device_id, tab: 'rules', chart } as const;
  const add = () => goTo({ ...at, list: { open: 'new' } });
  const { open } = list;
  const [made, setMade] = useState<string | null>(null);
  const [opened, setOpened] = useState(open);
  if (open !== undefined && open !== opened) setOpened(open);
  const isFull = isFullOf(value);
  useShortcuts(mayCreate && open === undefined && !isFull ? { n: add } : {});
  const all = useMemo(
    () =>
      value?.filter((rule) =>
        rule.device_id === null
          ? device.tags.includes(tagOf(rule.condition) ?? '')
          : rule.device_id === device_id,
      ),
    [value, device.tags, device_id],
  );
  const keys = useMemo(
    () =>
      summary.keys
        .toSorted((a, b) => Number(b.numeric > 0) - Number(a.numeric > 0))
        .map(({ key }) => ({ key, label: nameWithUnit(key, ofKey(key)) })),
    [summary.keys, ofKey],
  );
  useEffect(() => hideTried, []);

  if (error !== null && !value) return <Problem message={error} onRetry={rules.reload} />;
  if (!all) return <Loading flex={1} label="Loading the rules" />;
  const rule = all.find(({ id, device_id: of }) => id === open && of !== null) ?? null;
  if (open === 'new' || rule)
    return (
      <div className={classes['panel']}>
        <RuleEditor
          key={open}
          {...{ project_id, device_id, keys }}
          rule={rule}
          settingsOf={ofKey}
          recordsOf={() => summary.records}
          hrefOf={(firing, drawn) =>
            hrefTo({
              ...at,
              ...(open !== undefined && { list: { open } }),
              chart: { ...BESIDE, ...chart, ...keysIn(drawn), window: windowAround(firing, nowMicros()) },
            })
          }
          onClose={() => goTo(at)}
          onSaved={({ id }) => {
            setMade(id);
            goTo(at);
          }}
          renderChart={(drawn, found) => (
            <>
              <Shown device_id={device_id} found={found} />
              <ChartPanel
                key={drawn.join()}
                {...{ project_id, detail, shown, onImport }}
                chart={{ ...BESIDE, ...chart, ...keysIn(drawn) }}
              />
            </>
          )}
        />
      </div>
    );
  if (all.length === 0)
    return (
      <Empty
        icon={IconBell}
        title="No rules"
        action={
          <May to="functions.create">
            <Button leftSection={<IconPlus size={16} />} disabled={isFull} onClick={add}>
              New rule
            </Button>
            {isFull && <NoRoomForRules />}
          </May>
        }
      >
        A rule says what is wrong and for how long, such as “supply above 85 °C for 10 min”, and what is done
        then. What it would have found before is seen while it is written.
      </Empty>
    );
  return (
    <>
      {error !== null && <Problem message={error} onRetry={rules.reload} />}
      <Group gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {countOf(all.length, 'rule')}
        </Text>
        <May to="functions.create">
          <Button
            ml="auto"
            variant="default"
            leftSection={<IconPlus size={16} />}
            disabled={isFull}
            onClick={add}
          >
            New rule
          </Button>
        </May>
      </Group>
      {mayCreate && isFull && <NoRoomForRules />}
      <RuleList
        rules={all}
        settingsOf={ofRule}
        placeOf={placeOf}
        written={opened === 'new' ? made : (opened ?? null)}
        routeOf={({ id, device_id: of }) =>
          of === null ? { screen: 'rules', project_id, open: id } : { ...at, list: { open: id } }
        }
      />
    </>
  );
}

/** What the chart beside a rule shows at first: as far back as that is tried. */
const BESIDE = { range: '30d' };

const keysIn = (keys: readonly string[]) => (keys.length > 0 ? { keys } : {});

const placeOf = (rule: DeviceFunction): string =>
  rule.device_id === null ? `By its tag “${tagOf(rule.condition) ?? ''}”` : 'Of this device';

/** Hands what a rule would have found to the chart; draws nothing. */
function Shown({ device_id, found }: { readonly device_id: string; readonly found: Tried | null }) {
  useEffect(() => {
    const firings = found?.find((one) => one.device_id === device_id)?.firings ?? [];
    const spans = firings.map(({ start, end }) => ({
      from: parseInstant(start) ?? 0,
      to: end === null ? null : parseInstant(end),
    }));
    showTried(device_id, spans);
  }, [device_id, found]);
  return null;
}
