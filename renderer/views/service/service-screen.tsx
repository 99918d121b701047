import { Tabs } from '@mantine/core';
import {
  IconDatabase,
  IconDoor,
  IconHistory,
  IconInfoCircle,
  IconKey,
  IconSettings,
} from '@tabler/icons-react';
import { May } from '../../components/work/may.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { DoorsPart } from './doors/doors-part.tsx';
import { StoragePart } from './storage/storage-part.tsx';
import { SecretsPart } from './secrets/secrets-part.tsx';
import { SettingsPart } from './settings/settings-part.tsx';
import { AuditPart } from './audit/audit-part.tsx';
import { goTo } from '../../router.ts';
import { status } from '../../stores/service.ts';
import { OverviewPart } from './overview-part.tsx';
import { SERVICE_PARTS, type ServiceShown } from './service-address.ts';
import classes from './service-screen.module.css';
import { ShippedLinks } from './shipped-links.tsx';
import { Loading } from '../../components/work/loading.tsx';
import { InMemory } from './in-memory.tsx';

/** The service itself: where it listens, and what it keeps. */
export function ServiceScreen({ part = 'overview', of, project, device, dataKey, by, trail }: ServiceShown) {
  status.useWatch('service');
  const { value, error } = status.useValue('service');
  return (
    <Screen
      title="Service"
      description={
        value && (
          <>
            Fieldbench {value.version}, process {value.pid}
            <ShippedLinks />
          </>
        )
      }
    >
      {error !== null && <Problem message={error} onRetry={status.reload} />}
      {value?.in_memory === true && <InMemory />}
      <Tabs
        value={part}
        onChange={(next) => {
          const chosen = SERVICE_PARTS.find((name) => name === next);
          if (chosen) goTo({ screen: 'service', ...(chosen !== 'overview' && { part: chosen }) });
        }}
        keepMounted={false}
        classNames={{ root: classes['tabs'] ?? '', panel: classes['panel'] ?? '' }}
      >
        <Tabs.List>
          <Tabs.Tab value="overview" leftSection={<IconInfoCircle size={16} />}>
            Overview
          </Tabs.Tab>
          <May to="doors.update">
            <Tabs.Tab value="doors" leftSection={<IconDoor size={16} />}>
              Network and ports
            </Tabs.Tab>
          </May>
          <May to="storage.get">
            <Tabs.Tab value="storage" leftSection={<IconDatabase size={16} />}>
              Storage
            </Tabs.Tab>
          </May>
          <May to="secrets.move">
            <Tabs.Tab value="secrets" leftSection={<IconKey size={16} />}>
              Secrets
            </Tabs.Tab>
          </May>
          <May to="settings.update">
            <Tabs.Tab value="settings" leftSection={<IconSettings size={16} />}>
              Settings
            </Tabs.Tab>
          </May>
          <May to="audit.list">
            <Tabs.Tab value="audit" leftSection={<IconHistory size={16} />}>
              Audit trail
            </Tabs.Tab>
          </May>
        </Tabs.List>
        <Tabs.Panel value="overview">
          {!value && error === null && <Loading h={260} label="Loading the service's state" />}
          {value && <OverviewPart status={value} />}
        </Tabs.Panel>
        <Tabs.Panel value="doors">{value && <DoorsPart status={value} />}</Tabs.Panel>
        <Tabs.Panel value="storage">{value && <StoragePart status={value} of={of} />}</Tabs.Panel>
        <Tabs.Panel value="secrets">
          <SecretsPart />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsPart />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <AuditPart
            key={[project, device, dataKey, by, trail].join(' ')}
            project={project}
            device={device}
            dataKey={dataKey}
            by={by}
            trail={trail}
          />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}
