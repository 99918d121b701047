import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconCpu, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMemo } from 'react';
import { isFound } from '#shared/text.ts';
import type { FoundDevice } from '#shared/operations/devices.ts';
import type { Project } from '#shared/schemas.ts';
import { Empty } from '../../components/screen/empty.tsx';
import { ContactCell } from '../../components/facts/last-seen.tsx';
import { ListScreen } from '../../components/screen/list-screen.tsx';
import { Tags } from '../../components/facts/tags.tsx';
import type { TableColumn } from '../../components/screen/virtual-table.tsx';
import { countOf } from '../../format.ts';
import { compareNames, compareTexts } from '../../order.ts';
import { goTo, hrefTo } from '../../router.ts';
import { devices } from '../../stores/devices.ts';
import { openDialog } from '../../stores/dialog.ts';
import { projects } from '../../stores/projects.ts';

/** The devices of a project. */
export function DevicesScreen({ project_id }: { readonly project_id: string }) {
  devices.useWatch(project_id);
  const list = devices.useValue(project_id);
  const project = projects.useValue('all').value?.find(({ id }) => id === project_id);
  const columns = useMemo(() => columnsOf(project_id), [project_id]);
  const newDevice = () => openDialog({ kind: 'new-device', project_id });
  return (
    <ListScreen
      title={project?.name ?? 'Devices'}
      noun="device"
      description={
        list.value && (
          <>
            {countOf(list.value.length, 'device')}
            {project?.description && ` · ${project.description}`}
          </>
        )
      }
      actions={project && <ProjectActions project={project} />}
      list={list}
      onRetry={devices.reload}
      onNew={newDevice}
      onOpen={({ id }) => goTo({ screen: 'device', project_id, device_id: id, tab: 'chart' })}
      isFound={isFound}
      columns={columns}
      empty={
        <Empty
          icon={IconCpu}
          title="No devices yet"
          action={<Button onClick={newDevice}>Add the first device</Button>}
        >
          A device gets an id and a token of its own and stores its readings with them. A recording can be
          dropped on its page, too.
        </Empty>
      }
    />
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

function columnsOf(project_id: string): readonly TableColumn<FoundDevice>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(130px, 2fr)',
      compare: (a, b) => compareNames(a.name, b.name),
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
      id: 'tags',
      header: 'Tags',
      width: 'minmax(165px, 1.4fr)',
      cell: ({ tags }) => (
        <Group gap={4} wrap="nowrap">
          <Tags tags={tags} most={2} />
        </Group>
      ),
    },
    {
      id: 'description',
      header: 'Description',
      width: 'minmax(90px, 1.6fr)',
      cell: ({ description }) => (
        <Text span size="sm" c="dimmed" title={description}>
          {description}
        </Text>
      ),
    },
    {
      id: 'type',
      header: 'Brand and model',
      width: 'minmax(120px, 1fr)',
      compare: (a, b) => compareNames(`${a.brand} ${a.model}`, `${b.brand} ${b.model}`),
      cell: ({ brand, model }) => (
        <Text span size="sm" c="dimmed">
          {brand === 'Custom' && model === 'Custom' ? '' : `${brand} · ${model}`}
        </Text>
      ),
    },
    {
      id: 'last-seen',
      header: 'Last seen',
      width: '190px',
      compare: (a, b) => compareTexts(a.last_seen, b.last_seen),
      cell: (device) => <ContactCell {...device} />,
    },
  ];
}
