import { Tabs } from '@mantine/core';
import { IconBinary } from '@tabler/icons-react';
import { UPLINK } from '#shared/domain/decoder-names.ts';
import { May } from '../../components/work/may.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { NotHere } from '../../components/screen/not-here.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { usePickFiles } from '../../components/screen/use-pick-files.ts';
import { ConnectPanel } from './connect/connect-panel.tsx';
import { DeletedHere } from '../../components/work/deleted-here.tsx';
import { KeysPanel } from './keys/keys-panel.tsx';
import { TablePanel } from './table/table-panel.tsx';
import { TimesPanel } from './times/times-panel.tsx';
import { CorrectionsPanel } from './corrections/corrections-panel.tsx';
import { ExcursionsPanel } from './excursions/excursions-panel.tsx';
import { DecoderPanel } from './decoder/decoder-panel.tsx';
import { RulesPanel } from './rules/rules-panel.tsx';
import { NotesPanel } from './notes/notes-panel.tsx';
import { FileDrop } from '../../components/screen/file-drop.tsx';
import { currentRoute, goTo } from '../../router.ts';
import { useActions, type Action } from '../../stores/actions.ts';
import { useHasDraft } from '../../stores/decoder-drafts.ts';
import { useDecoders } from '../../stores/decoders.ts';
import { deviceDetail } from '../../stores/devices.ts';
import { importFiles } from '../../stores/picked-files.ts';
import { ChartPanel } from './chart/chart-panel.tsx';
import { DEVICE_TABS, type DeviceShown } from './device-address.ts';
import classes from './device-screen.module.css';
import { DeviceActions } from './head/device-actions.tsx';
import { DeviceFacts } from './head/device-facts.tsx';
import { useTabLabels } from './head/device-tabs.ts';
import { Loading } from '../../components/work/loading.tsx';
import { useViewed } from './use-viewed.ts';

interface DeviceScreenProps extends DeviceShown {
  readonly project_id: string;
  readonly device_id: string;
}

export function DeviceScreen({
  project_id,
  device_id,
  tab,
  chart = {},
  list = {},
  refused = false,
}: DeviceScreenProps) {
  const { value, error, shown } = useViewed({
    project_id,
    device_id,
    tab,
    wanted: chart.view ?? 'corrected',
  });
  const isDecoded = useDecoders(project_id, device_id).length > 0;
  const hasBytes = value?.summary.keys.some(({ key }) => key === UPLINK.bytes) ?? false;
  const isWritten = useHasDraft(device_id);
  const decodes = isDecoded || hasBytes || isWritten || tab === 'decoder';
  const tabs = useTabLabels(decodes);
  const take = (files: readonly File[]) => importFiles(project_id, files, device_id);
  const pick = usePickFiles(take);
  const open = (next: string | null) => {
    const chosen = DEVICE_TABS.find((name) => name === next);
    const now = currentRoute();
    const kept = now.screen === 'device' && now.chart ? { chart: now.chart } : {};
    if (chosen) goTo({ screen: 'device', project_id, device_id, tab: chosen, ...kept });
  };
  const what = { description: value?.device.name ?? '' };
  const setUp: Action = {
    label: 'Decode bytes…',
    icon: IconBinary,
    needs: 'functions.create',
    ...what,
    run: () => open('decoder'),
  };
  useActions(
    [
      ...tabs.map((one) => ({ label: one.label, icon: one.icon, ...what, run: () => open(one.tab) })),
      ...(decodes ? [] : [setUp]),
    ],
    'project',
  );
  if (!value)
    return (
      <Screen title="Device">
        {error === null ? (
          <Loading h={320} label="Loading the device" />
        ) : (
          <DeletedHere {...{ project_id, device_id }} message={error} onRetry={deviceDetail.reload} />
        )}
      </Screen>
    );

  const { device } = value;
  const isHere = tabs.some((one) => one.tab === tab);
  return (
    <Screen
      title={device.name}
      facts={<DeviceFacts project_id={project_id} detail={value} />}
      actions={<DeviceActions project_id={project_id} device={device} onImport={pick} />}
    >
      {error !== null && <Problem message={error} onRetry={deviceDetail.reload} />}
      {tab !== 'decoder' && (
        <May to="records.import">
          <FileDrop words={`Drop to import into ${device.name}`} onFiles={take} />
        </May>
      )}
      <Tabs
        value={isHere ? tab : null}
        onChange={open}
        keepMounted={false}
        classNames={{ root: classes['tabs'] ?? '', panel: classes['panel'] ?? '', tab: classes['tab'] ?? '' }}
      >
        <Tabs.List>
          {tabs.map((one) => (
            <Tabs.Tab key={one.tab} value={one.tab} leftSection={<one.icon size={16} />}>
              {one.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="chart">
          <ChartPanel project_id={project_id} detail={value} chart={chart} shown={shown} onImport={pick} />
        </Tabs.Panel>
        <Tabs.Panel value="table">
          <TablePanel
            project_id={project_id}
            detail={value}
            chart={chart}
            list={list}
            zone={chart.zone ?? 'local'}
            onZone={(zone) => {
              const { zone: _before, ...others } = chart;
              const next = zone === 'utc' ? { ...others, zone } : others;
              goTo({ screen: 'device', project_id, device_id, tab, chart: next });
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <KeysPanel {...{ project_id, device_id, chart, list, shown }} />
        </Tabs.Panel>
        <Tabs.Panel value="notes">
          <NotesPanel {...{ project_id, chart, list, shown }} detail={value} />
        </Tabs.Panel>
        <Tabs.Panel value="corrections">
          <CorrectionsPanel {...{ project_id, chart, list }} detail={value} />
        </Tabs.Panel>
        <Tabs.Panel value="times">
          <TimesPanel {...{ project_id, chart, list, shown }} detail={value} />
        </Tabs.Panel>
        <Tabs.Panel value="excursions">
          <ExcursionsPanel {...{ project_id, chart, list, shown }} detail={value} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <RulesPanel {...{ project_id, chart, list, shown }} detail={value} onImport={pick} />
        </Tabs.Panel>
        <Tabs.Panel value="decoder">
          <DecoderPanel {...{ project_id, chart, list }} detail={value} />
        </Tabs.Panel>
        <Tabs.Panel value="connect">
          <ConnectPanel project_id={project_id} detail={value} refused={refused} />
        </Tabs.Panel>
        {!isHere && <NotHere />}
      </Tabs>
    </Screen>
  );
}
