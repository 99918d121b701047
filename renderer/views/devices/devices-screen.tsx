import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconCpu, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { DeviceItem, Project } from '#shared/schemas.ts';
import { Empty } from '../../components/empty.tsx';
import { LastSeen } from '../../components/last-seen.tsx';
import { Problem } from '../../components/problem.tsx';
import { Screen } from '../../components/screen.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { useScreenKeys } from '../../components/use-screen-keys.ts';
import { VirtualTable, type TableColumn } from '../../components/virtual-table.tsx';
import { countOf } from '../../format.ts';
import { goTo, hrefTo } from '../../router.ts';
import { devices } from '../../stores/devices.ts';
import { openDialog } from '../../stores/dialog.ts';
import { projects } from '../../stores/projects.ts';
import { matches } from '../../text.ts';

/** The devices of a project. */
export function DevicesScreen({ project_id }: { readonly project_id: string }) {
  devices.useWatch(project_id);
  const { value, error } = devices.useValue(project_id);
  const project = projects.useValue('all').value?.find(({ id }) => id === project_id);
  const [search, setSearch] = useState('');
  const newDevice = () => openDialog({ kind: 'new-device', project_id });
  useScreenKeys({ n: newDevice });
  const shown = useMemo(
    () =>
      value?.filter(({ name, description, brand, model }) =>
        matches(search, name, description, brand, model),
      ),
    [value, search],
  );
  const columns = useMemo(() => columnsOf(project_id), [project_id]);
  return (
    <Screen
      title={project?.name ?? 'Devices'}
      description={
        value && (
          <>
            {countOf(value.length, 'device')}
            {project?.description && ` · ${project.description}`}
          </>
        )
      }
      actions={project && <ProjectActions project={project} />}
    >
      {error !== null && <Problem message={error} />}
      {!value && error === null && <Skeleton h={220} aria-label="Loading devices" />}
      {value && (
        <Group justify="space-between">
          <SearchField label="Search devices" value={search} onChange={setSearch} />
          <Button leftSection={<IconPlus size={16} />} onClick={newDevice}>
            New device
          </Button>
        </Group>
      )}
      {value?.length === 0 && (
        <Empty
          icon={IconCpu}
          title="No devices yet"
          action={<Button onClick={newDevice}>Add the first device</Button>}
        >
          A device gets an id and a token of its own and stores its readings with them. A recording can be
          dropped on its page, too.
        </Empty>
      )}
      {value && value.length > 0 && shown?.length === 0 && (
        <Text c="dimmed">No device matches “{search}”.</Text>
      )}
      {shown && shown.length > 0 && (
        <VirtualTable
          label="Devices"
          rows={shown}
          columns={columns}
          rowKey={({ id }) => id}
          onOpen={({ id }) => goTo({ screen: 'device', project_id, device_id: id, tab: 'chart' })}
        />
      )}
    </Screen>
  );
}

function ProjectActions({ project }: { readonly project: Project }) {
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={16} />}
        onClick={() => openDialog({ kind: 'edit-project', project })}
      >
        Edit project…
      </Button>
      <Button
        variant="subtle"
        color="danger"
        leftSection={<IconTrash size={16} />}
        onClick={() => openDialog({ kind: 'delete-project', project })}
      >
        Delete project…
      </Button>
    </>
  );
}

function columnsOf(project_id: string): readonly TableColumn<DeviceItem>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(200px, 2fr)',
      compare: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }),
      cell: ({ id, name }) => (
        <Anchor
          href={hrefTo({ screen: 'device', project_id, device_id: id, tab: 'chart' })}
          fw={500}
          size="sm"
          title={name}
        >
          {name}
        </Anchor>
      ),
    },
    {
      id: 'description',
      header: 'Description',
      width: 'minmax(160px, 2fr)',
      cell: ({ description }) => (
        <Text span size="sm" c="dimmed" title={description}>
          {description}
        </Text>
      ),
    },
    {
      id: 'type',
      header: 'Brand and model',
      width: 'minmax(140px, 1fr)',
      compare: (a, b) => `${a.brand} ${a.model}`.localeCompare(`${b.brand} ${b.model}`),
      cell: ({ brand, model }) => (
        <Text span size="sm" c="dimmed">
          {brand} · {model}
        </Text>
      ),
    },
    {
      id: 'last-seen',
      header: 'Last seen',
      width: '160px',
      compare: (a, b) => a.last_seen.localeCompare(b.last_seen),
      cell: (device) => <LastSeen device={device} />,
    },
  ];
}
