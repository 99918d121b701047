import { ActionIcon, Anchor, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots, IconFolderPlus, IconPencil, IconTrash } from '@tabler/icons-react';
import { matches } from '#shared/values/text.ts';
import type { FoundProject } from '#shared/operations/metadata/projects.ts';
import type { Project } from '#shared/schema/schemas.ts';
import { parseInstant } from '#shared/values/time.ts';
import { CorrectedSign, correctedOf } from '../../components/corrections/corrected-sign.tsx';
import { StatusCounts } from '../../components/facts/device-status.tsx';
import { shownName } from '../../components/facts/shown-name.ts';
import { OutsideMark } from '../../components/facts/outside-mark.tsx';
import { Empty } from '../../components/screen/empty.tsx';
import { ListScreen } from '../../components/screen/list-screen.tsx';
import type { ListShown } from '../../components/screen/list-shown.ts';
import { useListShown } from '../../components/screen/use-list-shown.ts';
import { Moment } from '../../components/facts/moment.tsx';
import type { TableColumn } from '../../components/table/column.ts';
import { actionsColumn, countColumn, nameColumn } from '../../components/table/usual-columns.ts';
import { May } from '../../components/work/may.tsx';
import { countOf } from '../../format.ts';
import { useMay } from '../../bridge/distant.ts';
import { compareTexts } from '../../order.ts';
import { goTo, hrefTo } from '../../router.ts';
import { useDeleteOf } from '../../stores/undo/deletes.ts';
import { openDialog } from '../../stores/dialog.ts';
import { projects } from '../../stores/projects.ts';
import { TrySimulated } from './try-simulated.tsx';

const newProject = () => openDialog({ kind: 'new-project' });
const isFound = (search: string, { name, description }: Project) => matches(search, name, description);

export function ProjectsScreen(told: ListShown) {
  const [shown, show] = useListShown('projects', told);
  const list = projects.useValue('all');
  const mayCreate = useMay('projects.create');
  // A service that lists projects as the document does says nothing of their records.
  const knowsRecords = useMay('projects.impact');
  return (
    <ListScreen
      shown={shown}
      onShow={show}
      title="Projects"
      noun="project"
      description={list.value && list.value.length > 0 && countOf(list.value.length, 'project')}
      list={list}
      onRetry={projects.reload}
      {...(mayCreate && { onNew: newProject })}
      onOpen={({ id }) => goTo({ screen: 'devices', project_id: id })}
      isFound={isFound}
      columns={knowsRecords ? COLUMNS : COLUMNS.filter(({ id }) => id !== 'records')}
      empty={
        <Empty
          icon={IconFolderPlus}
          title="No projects yet"
          action={
            mayCreate && (
              <Stack gap="xs" align="center">
                <Button onClick={newProject}>Create the first project</Button>
                <May to="records.import">
                  <Button variant="default" onClick={() => goTo({ screen: 'look' })}>
                    Look at a recording…
                  </Button>
                </May>
                <May to="simulators.building">
                  <TrySimulated />
                </May>
              </Stack>
            )
          }
        >
          A project holds the devices of one site, customer or experiment.{' '}
          {mayCreate
            ? 'Create one, then add its devices. Or drop a recording here: you see what it holds first.'
            : 'This API key sees none, and may make none here.'}
        </Empty>
      }
    />
  );
}

const COLUMNS: readonly TableColumn<FoundProject>[] = [
  nameColumn('minmax(150px, 2fr)', ({ id, name }) => (
    <Anchor
      href={hrefTo({ screen: 'devices', project_id: id })}
      dir="auto"
      display="block"
      truncate
      ta="left"
      fw={500}
      size="sm"
      title={name}
    >
      {shownName(name)}
    </Anchor>
  )),
  {
    id: 'description',
    header: 'Description',
    width: 'minmax(60px, 2fr)',
    rank: 1,
    cell: ({ description }) => (
      <Text span size="sm" c="dimmed" title={description}>
        {description}
      </Text>
    ),
  },
  countColumn('devices', 'Devices', '90px'),
  {
    id: 'status',
    header: 'Status',
    width: '140px',
    // What needs somebody comes first.
    compare: (a, b) => b.outside - a.outside || b.late - a.late || b.never - a.never,
    cell: (project) => (
      <Group gap="xs" wrap="nowrap" fz="sm">
        {project.outside > 0 && <OutsideMark short />}
        {project.corrected > 0 && <CorrectedSign words={correctedOf(project.corrected)} />}
        <StatusCounts counts={project} />
      </Group>
    ),
  },
  countColumn('records', 'Records', '100px', 3),
  {
    id: 'created',
    header: 'Created',
    width: '185px',
    rank: 2,
    compare: (a, b) => compareTexts(a.created_at, b.created_at),
    cell: ({ created_at }) => <Moment at={parseInstant(created_at) ?? 0} />,
  },
  actionsColumn('64px', (project) => <ProjectMenu project={project} />),
];

function ProjectMenu({ project }: { readonly project: FoundProject }) {
  const mayEdit = useMay('projects.update');
  const mayDelete = useMay(useDeleteOf('projects.remove', 'projects.delete'));
  if (!mayEdit && !mayDelete) return null;
  return (
    <Group justify="flex-end">
      <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${project.name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayEdit && (
            <Menu.Item
              leftSection={<IconPencil size={16} />}
              onClick={() => openDialog({ kind: 'edit-project', project })}
            >
              Edit…
            </Menu.Item>
          )}
          {mayDelete && (
            <Menu.Item
              c="danger"
              leftSection={<IconTrash size={16} />}
              onClick={() => openDialog({ kind: 'delete-project', project })}
            >
              Delete…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
