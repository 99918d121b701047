import { Button, Group, Paper, Text } from '@mantine/core';
import { IconActivityHeartbeat, IconBell, IconCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { matches } from '#shared/values/text.ts';
import { useMay } from '../../bridge/distant.ts';
import { useNow } from '../../components/facts/use-now.ts';
import { Empty } from '../../components/screen/empty.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { useTicked } from '../../components/table/use-ticked.ts';
import { VirtualTable } from '../../components/table/virtual-table.tsx';
import { Loading } from '../../components/work/loading.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { countOf, formatCount } from '../../format.ts';
import { goTo } from '../../router.ts';
import { useActions } from '../../stores/actions.ts';
import { alarmsAsked, listedAlarms } from '../../stores/alarms/alarms.ts';
import { everyDevice } from '../../stores/devices.ts';
import { openDialog } from '../../stores/dialog.ts';
import { useKeySettingsOfEach } from '../../stores/key-settings.ts';
import { alertsTray } from '../../stores/trays/alerts-tray.ts';
import { alarmColumns, chartOf } from './alarm-columns.tsx';
import { AlarmFilters } from './alarm-filters.tsx';
import type { AlarmsShown } from './alarms-address.ts';
import { NoticeSettings } from '../../components/alarms/notice-settings.tsx';
import { useAlarmsShown } from './use-alarms-shown.ts';

const NONE: readonly Alarm[] = [];
const nameOf = ({ rule, device }: Alarm) => `${rule} of ${device}`;
const acknowledge = (alarms: readonly Alarm[]) => openDialog({ kind: 'acknowledge', alarms });
const NO_FILTER = { find: null, project: null, device: null, rule: null } as const;

/** The alarms of all projects: those that are to be seen, or any others. */
export function AlarmsScreen(told: AlarmsShown) {
  const [shown, change] = useAlarmsShown(told);
  const { state = 'due', find = '', project, device, rule, open } = shown;
  const of = alarmsAsked(state, {
    ...(project && { project }),
    ...(device && { device }),
    ...(rule && { rule }),
  });
  listedAlarms.useWatch(of);
  everyDevice.useWatch('all');
  const { value, error } = listedAlarms.useValue(of);
  const all = value?.alarms ?? NONE;
  const projectsText = JSON.stringify([...new Set(all.map(({ project_id }) => project_id))]);
  const settingsOf = useKeySettingsOfEach(
    useMemo(() => JSON.parse(projectsText) as string[], [projectsText]),
  );
  const now = useNow(true);
  const rows = useMemo(
    () =>
      find === ''
        ? all
        : all.filter((one) => matches(find, one.rule, one.device, one.project, one.acknowledged?.text ?? '')),
    [all, find],
  );
  const mayAcknowledge = useMay('alarms.acknowledge');
  const maySilence = useMay('functions.silence');
  const columns = useMemo(
    () =>
      alarmColumns({
        now,
        settingsOf,
        open,
        acknowledge: mayAcknowledge ? (alarm) => acknowledge([alarm]) : null,
        maySilence,
      }),
    [now, settingsOf, open, mayAcknowledge, maySilence],
  );
  const { sort } = shown;
  const sorted = useMemo(() => {
    const compare = columns.find(({ id }) => id === sort?.column)?.compare;
    if (!compare) return rows;
    const direction = sort?.descending ? -1 : 1;
    return rows.toSorted((a, b) => direction * compare(a, b));
  }, [rows, columns, sort]);
  const ticked = useTicked(sorted);
  const chosen = useMemo(() => all.filter(({ id }) => ticked.ids.has(id)), [all, ticked]);
  useActions(
    mayAcknowledge && chosen.length > 0
      ? [
          {
            label: 'Acknowledge the selected alarms…',
            icon: IconCheck,
            shortcut: 'a',
            run: () => acknowledge(chosen),
          },
        ]
      : [],
  );
  const ticking = useMemo(() => ({ ticked, nameOf }), [ticked]);
  const isNarrowed = project !== undefined || device !== undefined || rule !== undefined;
  return (
    <Screen
      title="Alarms"
      description="Where rules found something wrong, of all projects. A rule is made on the page of a device, or of a project."
      actions={
        <Button variant="default" leftSection={<IconActivityHeartbeat size={16} />} onClick={alertsTray.open}>
          Late and outside…
        </Button>
      }
    >
      {error !== null && <Problem message={error} onRetry={listedAlarms.reload} />}
      <AlarmFilters shown={shown} alarms={all} onChange={change} />
      {rule !== undefined && (
        <Group gap="sm">
          <Text size="sm">Of one rule: {all[0]?.rule ?? 'none of its alarms is in this state'}</Text>
          <Button size="compact-sm" variant="subtle" onClick={() => change({ rule: null })}>
            Of all rules
          </Button>
        </Group>
      )}
      {chosen.length > 0 && (
        <Paper withBorder p={6} pl="sm" role="region" aria-label="Selected alarms">
          <Group gap="xs">
            <Text size="sm" fw={600} role="status">
              {formatCount(chosen.length)} selected
            </Text>
            {mayAcknowledge && (
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<IconCheck size={16} />}
                onClick={() => acknowledge(chosen)}
              >
                Acknowledge…
              </Button>
            )}
            <Button size="compact-sm" variant="subtle" color="gray" ml="auto" onClick={ticked.none}>
              Select none
            </Button>
          </Group>
        </Paper>
      )}
      {!value && error === null && <Loading h={220} label="Loading the alarms" />}
      {value?.alarms.length === 0 && (
        <Empty
          icon={IconBell}
          title={EMPTY[state]}
          action={
            (isNarrowed || state !== 'all') && (
              <Button variant="default" onClick={() => change({ ...NO_FILTER, state: 'all' })}>
                Show all alarms
              </Button>
            )
          }
        >
          A rule says what is wrong and for how long, such as “supply above 85 °C for 10 min”. Make one under
          Rules, on the page of a device.
        </Empty>
      )}
      {all.length > 0 && rows.length === 0 && <Text c="dimmed">No alarm matches “{find}”.</Text>}
      {rows.length > 0 && (
        <VirtualTable
          label="Alarms"
          density="tall"
          rows={sorted}
          columns={columns}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={(next) => change({ sort: next })}
          ticking={ticking}
          onOpen={(alarm) => goTo(chartOf(alarm, now))}
          isSorted
          isLive
        />
      )}
      {value && value.alarms.length > 0 && (value.total === null || value.total > value.alarms.length) && (
        <Text size="sm" c="dimmed">
          The newest {formatCount(value.alarms.length)}
          {value.total === null ? '' : ` of ${countOf(value.total, 'alarm')}`}. Narrow them to see older ones.
        </Text>
      )}
      <NoticeSettings />
    </Screen>
  );
}

const EMPTY = {
  due: 'No alarm is to be seen',
  open: 'No alarm is open',
  ended: 'No alarm has ended',
  withdrawn: 'No alarm was withdrawn',
  all: 'No alarms',
} as const;
