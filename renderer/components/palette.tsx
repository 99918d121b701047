import { Spotlight, type SpotlightActionGroupData, type SpotlightFilterFunction } from '@mantine/spotlight';
import { IconCpu, IconFolder, IconKey, IconPlus, IconSearch, IconServer } from '@tabler/icons-react';
import { useState } from 'react';
import type { DeviceItem, Project } from '#shared/schemas.ts';
import { goTo, type Route } from '../router.ts';
import { devices } from '../stores/devices.ts';
import { openDialog } from '../stores/dialog.ts';
import { projects } from '../stores/projects.ts';
import { matches } from '../text.ts';

/** Ctrl+K: go to anything, do anything that needs no place. */
export function Palette({ route }: { readonly route: Route }) {
  const [opened, setOpened] = useState(false);
  const project_id = 'project_id' in route ? route.project_id : null;
  const ofProjects = projects.useValue('all').value ?? [];
  const ofDevices = devices.useValue(project_id ?? '').value ?? [];
  return (
    <>
      {opened && project_id !== null && <FreshDevices project_id={project_id} />}
      <Spotlight
        actions={opened ? groupsOf(project_id, ofDevices, ofProjects) : []}
        filter={filterGroups}
        onSpotlightOpen={() => setOpened(true)}
        onSpotlightClose={() => setOpened(false)}
        shortcut="mod + K"
        nothingFound="Nothing by that name."
        scrollable
        maxHeight={520}
        searchProps={{
          leftSection: <IconSearch size={18} />,
          placeholder: 'A project, a device, or what to do',
          'aria-label': 'Go to or do',
        }}
      />
    </>
  );
}

/** Devices are read while the palette is open: other screens may not have them. */
function FreshDevices({ project_id }: { readonly project_id: string }) {
  devices.useWatch(project_id);
  return null;
}

const MOST_OF_A_GROUP = 6;

/** The first few of each group that match, so that ten thousand devices leave room for the rest. */
const filterGroups: SpotlightFilterFunction = (query, groups) =>
  groups.flatMap((group) => {
    if (!('actions' in group)) return [];
    const actions = group.actions.filter(({ label = '', description = '' }) =>
      matches(query, label, description),
    );
    return actions.length > 0 ? [{ ...group, actions: actions.slice(0, MOST_OF_A_GROUP) }] : [];
  });

function groupsOf(
  project_id: string | null,
  ofDevices: readonly DeviceItem[],
  ofProjects: readonly Project[],
): SpotlightActionGroupData[] {
  const create = [
    {
      id: 'new-project',
      label: 'New project',
      leftSection: <IconPlus size={18} />,
      onClick: () => openDialog({ kind: 'new-project' }),
    },
  ];
  if (project_id !== null)
    create.unshift({
      id: 'new-device',
      label: 'New device',
      leftSection: <IconPlus size={18} />,
      onClick: () => openDialog({ kind: 'new-device', project_id }),
    });
  return [
    { group: 'Do', actions: create },
    {
      group: 'Devices',
      actions: ofDevices.map(({ id, name, brand, model }) => ({
        id: `device-${id}`,
        label: name,
        description: `${brand} · ${model}`,
        leftSection: <IconCpu size={18} />,
        onClick: () => {
          if (project_id !== null) goTo({ screen: 'device', project_id, device_id: id, tab: 'chart' });
        },
      })),
    },
    {
      group: 'Projects',
      actions: ofProjects.map(({ id, name, description }) => ({
        id: `project-${id}`,
        label: name,
        description,
        leftSection: <IconFolder size={18} />,
        onClick: () => goTo({ screen: 'devices', project_id: id }),
      })),
    },
    {
      group: 'Screens',
      actions: [
        {
          id: 'projects',
          label: 'Projects',
          leftSection: <IconFolder size={18} />,
          onClick: () => goTo({ screen: 'projects' }),
        },
        {
          id: 'api-keys',
          label: 'API keys',
          leftSection: <IconKey size={18} />,
          onClick: () => goTo({ screen: 'api-keys' }),
        },
        {
          id: 'service',
          label: 'Service',
          leftSection: <IconServer size={18} />,
          onClick: () => goTo({ screen: 'service' }),
        },
      ],
    },
  ];
}
