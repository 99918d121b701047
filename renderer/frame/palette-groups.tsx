import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import {
  IconDownload,
  IconEraser,
  IconKey,
  IconKeyboard,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { isFound, matches } from '#shared/text.ts';
import type { Device, Project } from '#shared/schemas.ts';
import { formatCount } from '../format.ts';
import { goTo } from '../router.ts';
import { iconOf, listedIn } from '../screens.tsx';
import type { PlacedDevice } from '../stores/devices.ts';
import { openDialog, type OpenDialog } from '../stores/dialog.ts';

interface Here {
  readonly project: Project | null;
  readonly device: Device | null;
}

type Icon = ComponentType<{ size?: number }>;
const drawn = (Shape: Icon) => <Shape size={18} />;

/** So many of a group are shown, so that ten thousand devices leave room for the rest. */
const MOST_OF_A_GROUP = 6;

/** What matches a query: devices by all that a list finds them by, the rest by its words. */
export function paletteGroups(
  query: string,
  here: Here,
  projects: readonly Project[],
  devices: readonly PlacedDevice[],
): SpotlightActionGroupData[] {
  const isWanted = ({ label = '', description = '' }: SpotlightActionData) =>
    matches(query, label, description);
  return [
    // By what they do alone: who types a name wants to go there, not to delete what bears it.
    { group: 'Do', actions: deeds(here).filter(({ label = '' }) => matches(query, label)) },
    devicesGroup(bestFirst(query, here, devices)),
    { group: 'Projects', actions: projects.map(projectAction).filter(isWanted) },
    { group: 'Screens', actions: screens().filter(isWanted) },
  ]
    .map(({ group, actions }) => ({ group, actions: actions.slice(0, MOST_OF_A_GROUP) }))
    .filter(({ actions }) => actions.length > 0);
}

/**
 * Those that match: first who bears that very name, then whose name begins with it, then the rest; among equals those of
 * the project at hand.
 */
function bestFirst(query: string, { project }: Here, devices: readonly PlacedDevice[]): PlacedDevice[] {
  const wanted = query.trim().toLowerCase();
  const ranks: PlacedDevice[][] = [[], [], [], [], [], []];
  for (const placed of devices) {
    if (!isFound(query, placed.device)) continue;
    const name = placed.device.name.toLowerCase();
    const rank = name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2;
    ranks[2 * rank + Number(placed.project.id !== project?.id)]?.push(placed);
  }
  return ranks.flat();
}

/** Says how many there are where not all are shown. */
function devicesGroup(found: readonly PlacedDevice[]): SpotlightActionGroupData {
  const shown = found.slice(0, MOST_OF_A_GROUP);
  const many = found.length > shown.length;
  return {
    group: many ? `Devices: ${shown.length} of ${formatCount(found.length)}` : 'Devices',
    actions: shown.map(actionOf),
  };
}

function actionOf({ project, device }: PlacedDevice): SpotlightActionData {
  return {
    id: `device-${device.id}`,
    label: device.name,
    description: [project.name, ...device.tags].join(' · '),
    leftSection: drawn(iconOf('device')),
    onClick: () => goTo({ screen: 'device', project_id: project.id, device_id: device.id, tab: 'chart' }),
  };
}

function projectAction({ id, name, description }: Project): SpotlightActionData {
  return {
    id: `project-${id}`,
    label: name,
    description,
    leftSection: drawn(iconOf('devices')),
    onClick: () => goTo({ screen: 'devices', project_id: id }),
  };
}

const deed = (label: string, icon: Icon, dialog: OpenDialog, description = ''): SpotlightActionData => ({
  id: dialog.kind,
  label,
  description,
  leftSection: drawn(icon),
  onClick: () => openDialog(dialog),
});

/** What can be done here, the nearest first. */
function deeds({ project, device }: Here): SpotlightActionData[] {
  const project_id = project?.id ?? '';
  const made = [deed('New project', IconPlus, { kind: 'new-project' })];
  if (project) made.unshift(deed('New device', IconPlus, { kind: 'new-device', project_id }));
  const others = [
    deed('New API key', IconKey, { kind: 'new-key' }),
    deed('Keyboard shortcuts', IconKeyboard, { kind: 'shortcuts' }),
  ];
  if (!project) return [...made, ...others];
  const { name } = project;
  const ofProject = [
    deed('Edit project…', IconPencil, { kind: 'edit-project', project }, name),
    deed('Delete project…', IconTrash, { kind: 'delete-project', project }, name),
  ];
  if (!device) return [...made, ...ofProject, ...others];
  const of = { project_id, device };
  return [
    ...made,
    deed('Export…', IconDownload, { kind: 'export', ...of }, device.name),
    deed('Edit device…', IconPencil, { kind: 'edit-device', ...of }, device.name),
    deed('Purge data…', IconEraser, { kind: 'purge-data', ...of }, device.name),
    deed('Delete device…', IconTrash, { kind: 'delete-device', ...of }, device.name),
    ...ofProject,
    ...others,
  ];
}

const screens = (): SpotlightActionData[] =>
  listedIn('palette').map(({ title, icon, route }) => ({
    id: route.screen,
    label: title,
    leftSection: drawn(icon),
    onClick: () => goTo(route),
  }));
