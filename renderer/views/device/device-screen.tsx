import { Badge, Button, Group, Skeleton, Tabs, Text } from '@mantine/core';
import {
  IconChartLine,
  IconDownload,
  IconEraser,
  IconFileImport,
  IconKey,
  IconList,
  IconPencil,
  IconTable,
  IconTrash,
} from '@tabler/icons-react';
import { useRef } from 'react';
import { LastSeen } from '../../components/last-seen.tsx';
import { Problem } from '../../components/problem.tsx';
import { Screen } from '../../components/screen.tsx';
import { countOf } from '../../format.ts';
import type { ChartAddress } from '../../chart-address.ts';
import { currentRoute, DEVICE_TABS, goTo, type DeviceTab } from '../../router.ts';
import { deviceKey, devicePage, type DevicePage } from '../../stores/devices.ts';
import { openDialog } from '../../stores/dialog.ts';
import { lastSeenOf } from '../../time.ts';
import { ChartPanel } from './chart-panel.tsx';
import { CredentialsPanel } from './credentials-panel.tsx';
import classes from './device-screen.module.css';
import { FileDrop } from './file-drop.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { TablePanel } from './table-panel.tsx';

interface DeviceScreenProps {
  readonly project_id: string;
  readonly device_id: string;
  readonly tab: DeviceTab;
  /** What the chart shows; it is kept while another tab is open. */
  readonly chart?: ChartAddress;
}

export function DeviceScreen({ project_id, device_id, tab, chart = {} }: DeviceScreenProps) {
  const key = deviceKey(project_id, device_id);
  devicePage.useWatch(key);
  const { value, error } = devicePage.useValue(key);
  const openPicker = useRef<() => void>(null);
  if (!value)
    return (
      <Screen title="Device">
        {error === null ? <Skeleton h={320} aria-label="Loading the device" /> : <Problem message={error} />}
      </Screen>
    );

  const { device } = value;
  const open = { project_id, device };
  return (
    <Screen
      title={device.name}
      description={<Facts page={value} />}
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
          <Button
            variant="default"
            leftSection={<IconPencil size={16} />}
            onClick={() => openDialog({ kind: 'edit-device', ...open })}
          >
            Edit device…
          </Button>
          <Button
            variant="subtle"
            color="danger"
            px="xs"
            leftSection={<IconEraser size={16} />}
            onClick={() => openDialog({ kind: 'purge-data', ...open })}
          >
            Purge data…
          </Button>
          <Button
            variant="subtle"
            color="danger"
            px="xs"
            leftSection={<IconTrash size={16} />}
            onClick={() => openDialog({ kind: 'delete-device', ...open })}
          >
            Delete device…
          </Button>
        </>
      }
    >
      {error !== null && <Problem message={error} />}
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
        classNames={{ root: classes['tabs'] ?? '', panel: classes['panel'] ?? '' }}
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
            page={value}
            chart={chart}
            onImport={() => openPicker.current?.()}
          />
        </Tabs.Panel>
        <Tabs.Panel value="table">
          <TablePanel project_id={project_id} page={value} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <KeysPanel summary={value.summary} />
        </Tabs.Panel>
        <Tabs.Panel value="credentials">
          <CredentialsPanel project_id={project_id} device={device} />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}

const SHOWN_TAGS = 6;

function Facts({ page: { device, summary } }: { readonly page: DevicePage }) {
  const hiddenTags = device.tags.slice(SHOWN_TAGS);
  return (
    <Group gap="xs">
      <span>
        {lastSeenOf(device) === null ? (
          'Never seen'
        ) : (
          <>
            Last seen <LastSeen device={device} />
          </>
        )}{' '}
        · {countOf(summary.records, 'record')}
      </span>
      {device.description && (
        <Text span inherit truncate maw={640} title={device.description}>
          · {device.description}
        </Text>
      )}
      {device.tags.slice(0, SHOWN_TAGS).map((tag) => (
        <Badge key={tag} variant="light" size="sm" tt="none" fw={500}>
          {tag}
        </Badge>
      ))}
      {hiddenTags.length > 0 && (
        <Badge variant="light" size="sm" tt="none" fw={500} title={hiddenTags.join(', ')}>
          +{hiddenTags.length}
        </Badge>
      )}
    </Group>
  );
}
