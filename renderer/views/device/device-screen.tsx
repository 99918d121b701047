import { ActionIcon, Button, Group, Menu, Skeleton, Tabs, Text } from '@mantine/core';
import {
  IconChartLine,
  IconDots,
  IconDownload,
  IconEraser,
  IconFileImport,
  IconKey,
  IconList,
  IconPencil,
  IconTable,
  IconTrash,
} from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { Device } from '#shared/schemas.ts';
import { useConnection } from '../../bridge/connection.ts';
import { reloadChart, useChartData } from '../../chart/data.ts';
import { ContactLine } from '../../components/facts/last-seen.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { Tags } from '../../components/facts/tags.tsx';
import { countOf } from '../../format.ts';
import { currentRoute, goTo } from '../../router.ts';
import { deviceKey, deviceDetail, type DeviceDetail } from '../../stores/devices.ts';
import { openDialog } from '../../stores/dialog.ts';
import { ChartPanel } from './chart/chart-panel.tsx';
import { CredentialsPanel } from './credentials-panel.tsx';
import { DEVICE_TABS, type DeviceShown } from './device-address.ts';
import classes from './device-screen.module.css';
import { FileDrop } from './import/file-drop.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { TablePanel } from './table/table-panel.tsx';

interface DeviceScreenProps extends DeviceShown {
  readonly project_id: string;
  readonly device_id: string;
}

export function DeviceScreen({ project_id, device_id, tab, chart = {} }: DeviceScreenProps) {
  const key = deviceKey(project_id, device_id);
  deviceDetail.useWatch(key);
  const { value, error } = deviceDetail.useValue(key);
  useEffect(reloadLostChart, []);
  const openPicker = useRef<() => void>(null);
  if (!value)
    return (
      <Screen title="Device">
        {error === null ? (
          <Skeleton h={320} aria-label="Loading the device" />
        ) : (
          <Problem message={error} onRetry={deviceDetail.reload} />
        )}
      </Screen>
    );

  const { device } = value;
  const open = { project_id, device };
  return (
    <Screen
      title={device.name}
      description={<Facts detail={value} />}
      actions={
        <>
          <Button leftSection={<IconFileImport size={16} />} onClick={() => openPicker.current?.()}>
            Import file…
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            onClick={() => openDialog({ kind: 'export', ...open })}
          >
            Export…
          </Button>
          <DeviceMenu {...open} />
        </>
      }
    >
      {error !== null && <Problem message={error} onRetry={deviceDetail.reload} />}
      <FileDrop
        openRef={openPicker}
        onFiles={([file, ...later]) => file && openDialog({ kind: 'import', file, later, ...open })}
      />
      <Tabs
        value={tab}
        onChange={(next) => {
          const chosen = DEVICE_TABS.find((name) => name === next);
          const now = currentRoute();
          const kept = now.screen === 'device' && now.chart ? { chart: now.chart } : {};
          if (chosen) goTo({ screen: 'device', project_id, device_id, tab: chosen, ...kept });
        }}
        keepMounted={false}
        classNames={{ root: classes['tabs'] ?? '', panel: classes['panel'] ?? '', tab: classes['tab'] ?? '' }}
      >
        <Tabs.List>
          <Tabs.Tab value="chart" leftSection={<IconChartLine size={16} />}>
            Chart
          </Tabs.Tab>
          <Tabs.Tab value="table" leftSection={<IconTable size={16} />}>
            Table
          </Tabs.Tab>
          <Tabs.Tab value="keys" leftSection={<IconList size={16} />}>
            Keys
          </Tabs.Tab>
          <Tabs.Tab value="credentials" leftSection={<IconKey size={16} />}>
            Credentials
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="chart">
          <ChartPanel
            project_id={project_id}
            detail={value}
            chart={chart}
            onImport={() => openPicker.current?.()}
          />
        </Tabs.Panel>
        <Tabs.Panel value="table">
          <TablePanel project_id={project_id} detail={value} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <KeysPanel summary={value.summary} />
        </Tabs.Panel>
        <Tabs.Panel value="credentials">
          <CredentialsPanel project_id={project_id} detail={value} />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}

/** A chart that lost the connection while it was read is read again when that comes back; returns what stops that. */
function reloadLostChart(): () => void {
  return useConnection.subscribe(({ made }, before) => {
    if (made !== before.made && useChartData.getState().error !== null) reloadChart();
  });
}

/** What is not done every day. */
function DeviceMenu(of: { readonly project_id: string; readonly device: Device }) {
  return (
    <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPencil size={16} />}
          onClick={() => openDialog({ kind: 'edit-device', ...of })}
        >
          Edit device…
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          c="danger"
          leftSection={<IconEraser size={16} />}
          onClick={() => openDialog({ kind: 'purge-data', ...of })}
        >
          Purge data…
        </Menu.Item>
        <Menu.Item
          c="danger"
          leftSection={<IconTrash size={16} />}
          onClick={() => openDialog({ kind: 'delete-device', ...of })}
        >
          Delete device…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const SHOWN_TAGS = 6;

function Facts({ detail: { device, summary } }: { readonly detail: DeviceDetail }) {
  return (
    <Group gap="xs" className={classes['facts'] ?? ''}>
      <span>
        <ContactLine last_seen={device.last_seen} newest={summary.last} /> ·{' '}
        {countOf(summary.records, 'record')}
      </span>
      {device.description && (
        <Text span inherit truncate maw={640} title={device.description} className={classes['about'] ?? ''}>
          · {device.description}
        </Text>
      )}
      <Tags tags={device.tags} most={SHOWN_TAGS} />
    </Group>
  );
}
