import { Group, Kbd } from '@mantine/core';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { IconBookmark, IconBolt } from '@tabler/icons-react';
import type { View } from '#shared/operations/metadata/views.ts';
import type { Project } from '#shared/schema/schemas.ts';
import { formatCount, shortened } from '../../format.ts';
import { goTo, parseRoute } from '../../router.ts';
import { iconOf, listedIn } from '../../screens.tsx';
import { keysOf, type Action } from '../../stores/actions.ts';
import type { DevicePlace } from './places.ts';
import { Search, type Findable } from './rank.ts';

/** Items of the palette. */
export interface PaletteItems {
  readonly actions: readonly Action[];
  readonly projects: readonly Project[];
  readonly devices: readonly DevicePlace[];
  readonly views: readonly View[];
  /** The project at hand: of equals, its devices come first. */
  readonly project_id: string;
}

/** So many of a group are shown, so that ten thousand devices leave room for the rest. */
const MOST_OF_A_GROUP = 6;
/** Without a search: what can be done here is what the palette is opened for. */
const MOST_ACTIONS = 12;
/** So many characters of an id tell equal names apart. */
const ID_SHOWN = 4;
/** A description may have 500 letters; a row has one line. */
const MOST_OF_A_LINE = 90;

interface RankedGroup extends SpotlightActionGroupData {
  /** Of its best, from 0. */
  readonly rank: number;
}

/** Returns the matches, the group with the best first. */
export function paletteGroups(query: string, items: PaletteItems): SpotlightActionGroupData[] {
  const search = new Search(query);
  const isSearch = query.trim() !== '';
  const group = <T,>(
    name: string,
    all: readonly T[],
    findableOf: (each: T) => Findable,
    show: (each: T) => SpotlightActionData,
    most = MOST_OF_A_GROUP,
  ): RankedGroup => {
    const { shown, found } = search.best(all, most, findableOf);
    const first = shown[0];
    return {
      // Says how many there are where not all are shown.
      group: found > shown.length ? `${name}: ${shown.length} of ${formatCount(found)}` : name,
      actions: shown.map(show),
      rank: (first !== undefined && isSearch ? search.rankOf(findableOf(first)) : null) ?? 0,
    };
  };
  const { project_id } = items;
  const nearest = project_id === '' ? items.devices : nearestFirst(items.devices, project_id);
  return [
    // By what they do alone: who types a name wants to go there, not to delete what bears it.
    group(
      'Do',
      items.actions,
      ({ label }) => named(label),
      doAction,
      isSearch ? MOST_OF_A_GROUP : MOST_ACTIONS,
    ),
    group('Devices', nearest, ({ findable }) => findable, deviceAction),
    group('Projects', items.projects, ({ name, description }) => named(name, description), projectAction),
    group('Saved views', items.views, ({ name }) => named(name), viewAction),
    group('Screens', listedIn('palette'), ({ title }) => named(title), screenAction),
  ]
    .filter(({ actions }) => actions.length > 0)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ group: name, actions }) => ({ group: name, actions }));
}

const named = (name: string, more = ''): Findable => ({ name, more, id: '' });

let near: { of: readonly DevicePlace[]; project_id: string; places: readonly DevicePlace[] } = {
  of: [],
  project_id: '',
  places: [],
};

/** The devices of the project at hand before the others: the same ones for every key that is pressed. */
function nearestFirst(devices: readonly DevicePlace[], project_id: string): readonly DevicePlace[] {
  if (near.of !== devices || near.project_id !== project_id) {
    const isHere = ({ project }: DevicePlace) => project.id === project_id;
    const places = [...devices.filter(isHere), ...devices.filter((place) => !isHere(place))];
    near = { of: devices, project_id, places };
  }
  return near.places;
}

function doAction({ label, description, icon: Icon = IconBolt, shortcut, run }: Action): SpotlightActionData {
  return {
    id: `do-${label}`,
    label,
    description: shortened(description ?? '', MOST_OF_A_LINE),
    leftSection: <Icon size={18} />,
    ...(shortcut !== undefined && { rightSection: <Keys shortcut={shortcut} /> }),
    onClick: run,
  };
}

function Keys({ shortcut }: { readonly shortcut: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      {keysOf(shortcut).map((key) => (
        <Kbd key={key} size="xs">
          {key}
        </Kbd>
      ))}
    </Group>
  );
}

function deviceAction({ project, device, twin }: DevicePlace): SpotlightActionData {
  const Icon = iconOf('device');
  const line = [project.name, ...(twin ? [device.id.slice(0, ID_SHOWN)] : []), ...device.tags].join(' · ');
  return {
    id: `device-${device.id}`,
    label: device.name,
    description: shortened(line, MOST_OF_A_LINE),
    leftSection: <Icon size={18} />,
    onClick: () => goTo({ screen: 'device', project_id: project.id, device_id: device.id, tab: 'chart' }),
  };
}

function projectAction({ id, name, description }: Project): SpotlightActionData {
  const Icon = iconOf('devices');
  return {
    id: `project-${id}`,
    label: name,
    description: shortened(description, MOST_OF_A_LINE),
    leftSection: <Icon size={18} />,
    onClick: () => goTo({ screen: 'devices', project_id: id }),
  };
}

function viewAction({ id, name, address }: View): SpotlightActionData {
  return {
    id: `view-${id}`,
    label: name,
    leftSection: <IconBookmark size={18} />,
    onClick: () => goTo(parseRoute(address)),
  };
}

function screenAction({
  title,
  icon: Icon,
  route,
}: ReturnType<typeof listedIn>[number]): SpotlightActionData {
  return {
    id: `screen-${route.screen}`,
    label: title,
    leftSection: <Icon size={18} />,
    onClick: () => goTo(route),
  };
}
