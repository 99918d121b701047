import { Anchor, Group, Text } from '@mantine/core';
import { IconArrowLeft, IconCpu } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { MOST_DEVICES, type DeviceStorage, type Storage } from '#shared/operations/service/storage.ts';
import { matches } from '#shared/values/text.ts';
import { Empty } from '../../../components/screen/empty.tsx';
import { SearchField } from '../../../components/screen/search-field.tsx';
import { VirtualTable } from '../../../components/table/virtual-table.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf, formatCount } from '../../../format.ts';
import { goTo, hrefTo, type KnownRoute } from '../../../router.ts';
import { deviceStorage } from '../../../stores/storage.ts';
import { Part } from '../parts.tsx';
import { sizeColumns, tableFrame } from './sizes.tsx';
import { Loading } from '../../../components/work/loading.tsx';

/** Sizes of a project's devices, the largest first. */
export function DeviceSizes({ project }: { readonly project: Storage['projects'][number] }) {
  const { project_id } = project;
  deviceStorage.useWatch(project_id);
  const { value, error } = deviceStorage.useValue(project_id);
  const [search, setSearch] = useState('');
  const found = useMemo(() => value?.filter(({ name }) => matches(search, name)), [value, search]);
  const columns = useMemo(
    () =>
      sizeColumns<DeviceStorage>(project.bytes, ({ device_id, name }) => (
        <Anchor
          href={hrefTo(deviceAt(project_id, device_id))}
          size="sm"
          truncate
          display="block"
          title={name}
          dir="auto"
        >
          {name}
        </Anchor>
      )),
    [project_id, project.bytes],
  );
  const cut = project.devices - MOST_DEVICES;
  return (
    <Part title={`Size by device in “${project.name}”`}>
      <Group justify="space-between">
        <Anchor href={hrefTo({ screen: 'service', part: 'storage' })} size="sm">
          <IconArrowLeft size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> All projects
        </Anchor>
        <SearchField label="Search devices by name" value={search} onChange={setSearch} />
      </Group>
      {error !== null && <Problem message={error} onRetry={deviceStorage.reload} />}
      {!value && error === null && <Loading h={160} label="Loading the devices" />}
      {value?.length === 0 && (
        <Empty icon={IconCpu} title="No devices yet">
          What the devices of this project store is listed here, the largest first.
        </Empty>
      )}
      {value && value.length > 0 && found?.length === 0 && (
        <Text c="dimmed">No device matches “{search}”.</Text>
      )}
      {found && found.length > 0 && (
        <div style={tableFrame(found.length)}>
          <VirtualTable
            label="Size by device"
            rows={found}
            columns={columns}
            rowKey={({ device_id }) => device_id}
            sort={{ column: 'size', descending: true }}
            onOpen={({ device_id }) => goTo(deviceAt(project_id, device_id))}
          />
        </div>
      )}
      {cut > 0 && (
        <Text size="sm" c="dimmed">
          The {formatCount(MOST_DEVICES)} largest; {countOf(cut, 'smaller device')} not listed.
        </Text>
      )}
    </Part>
  );
}

const deviceAt = (project_id: string, device_id: string): KnownRoute => ({
  screen: 'device',
  project_id,
  device_id,
  tab: 'chart',
});
