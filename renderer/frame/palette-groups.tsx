import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import {
  IconCpu,
  IconDownload,
  IconEraser,
  IconFolder,
  IconKey,
  IconKeyboard,
  IconPencil,
  IconPlus,
  IconServer,
  IconTrash,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { isFound, matches } from '#shared/text.ts';
import type { Device, Project } from '#shared/schemas.ts';
import { goTo, type Route } from '../router.ts';
import type { PlacedDevice } from '../stores/devices.ts';
import { openDialog, type OpenDialog } from '../stores/dialog.ts';

interface Here {
  readonly project: Project | null;
  readonly device: Device | null;
}

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
    { group: 'Devices', actions: firstFound(query, here, devices).map(actionOf) },
    { group: 'Projects', actions: projects.map(projectAction).filter(isWanted) },
    { group: 'Screens', actions: SCREENS.filter(isWanted) },
  ]
    .map(({ group, actions }) => ({ group, actions: actions.slice(0, MOST_OF_A_GROUP) }))
    .filter(({ actions }) => actions.length > 0);
}

/** Those of the project at hand come first. */
function firstFound(query: string, { project }: Here, devices: readonly PlacedDevice[]): PlacedDevice[] {
  const near: PlacedDevice[] = [];
  const far: PlacedDevice[] = [];
  for (const placed of devices) {
    const found = placed.project.id === project?.id ? near : far;
    if (found.length < MOST_OF_A_GROUP && isFound(query, placed.device)) found.push(placed);
    if (near.length === MOST_OF_A_GROUP) break;
  }
  return [...near, ...far].slice(0, MOST_OF_A_GROUP);
}

function actionOf({ project, device }: PlacedDevice): SpotlightActionData {
  return {
    id: `device-${device.id}`,
    label: device.name,
    description: [project.name, ...device.tags].join(' · '),
    leftSection: <IconCpu size={18} />,
    onClick: () => goTo({ screen: 'device', project_id: project.id, device_id: device.id, tab: 'chart' }),
  };
}

function projectAction({ id, name, description }: Project): SpotlightActionData {
  return {
    id: `project-${id}`,
    label: name,
    description,
    leftSection: <IconFolder size={18} />,
    onClick: () => goTo({ screen: 'devices', project_id: id }),
  };
}

type Icon = ComponentType<{ size?: number }>;

const deed = (label: string, Shape: Icon, dialog: OpenDialog, description = ''): SpotlightActionData => ({
  id: dialog.kind,
  label,
  description,
  leftSection: <Shape size={18} />,
  onClick: () => openDialog(dialog),
});

/** What can be done here, the nearest first. */
function deeds({ project, device }: Here): SpotlightActionData[] {
  const project_id = project?.id ?? '';
  const made = [deed('New project', IconPlus, { kind: 'new-project' })];
  if (project) made.unshift(deed('New device', IconPlus, { kind: 'new-device', project_id }));
  const others = [
    deed('New API key', IconKey, { kind: 'new-key' }),
    deed('Keyboard shortcuts', IconKeyboard, { kind: 'keys-help' }),
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

const screen = (label: string, Shape: Icon, route: Route): SpotlightActionData => ({
  id: route.screen,
  label,
  leftSection: <Shape size={18} />,
  onClick: () => goTo(route),
});

const SCREENS = [
  screen('Projects', IconFolder, { screen: 'projects' }),
  screen('API keys', IconKey, { screen: 'api-keys' }),
  screen('Service', IconServer, { screen: 'service' }),
];
