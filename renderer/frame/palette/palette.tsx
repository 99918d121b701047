import { Spotlight, useSpotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { Route } from '../../router.ts';
import { currentActions } from '../../stores/actions.ts';
import { everyDevice } from '../../stores/devices.ts';
import { projects } from '../../stores/projects.ts';
import { views } from '../../stores/views.ts';
import { paletteGroups } from './palette-groups.tsx';
import { paletteStore } from '../../stores/palette.ts';
import { placesOf } from './places.ts';

/** Ctrl+K: go to anything, do anything. */
export function Palette({ route }: { readonly route: Route }) {
  const { opened } = useSpotlight(paletteStore);
  const [query, setQuery] = useState('');
  const ofProjects = projects.useValue('all').value ?? [];
  const ofViews = views.useValue('all').value ?? [];
  const { value: ofDevices, error } = everyDevice.useValue('all');
  const waiting = error === null ? 'Looking through the devices…' : error;
  const groups = () =>
    paletteGroups(query, {
      actions: currentActions().filter(({ keyOnly }) => keyOnly !== true),
      projects: ofProjects,
      devices: placesOf(ofDevices ?? []),
      views: ofViews,
      project_id: 'project_id' in route ? route.project_id : '',
    });
  return (
    <>
      {opened && <Fresh />}
      <Spotlight
        query={query}
        onQueryChange={setQuery}
        actions={opened ? groups() : []}
        // They are chosen already: Spotlight would have to be given ten thousand.
        filter={(_query, chosen) => chosen}
        store={paletteStore}
        // The key is one of the frame's.
        shortcut={null}
        nothingFound={ofDevices === null ? waiting : 'Nothing by that name.'}
        // Fainter, it could not be read on the colour of what is chosen.
        styles={{ actionDescription: { opacity: 1 } }}
        scrollable
        maxHeight={520}
        // Who types on at once types into it: nothing is drawn, or given the focus, a moment later.
        transitionProps={{ duration: 0 }}
        searchProps={{
          ref: focusAtOnce,
          leftSection: <IconSearch size={18} />,
          placeholder: 'A project, a device, or what to do',
          'aria-label': 'Go to or do',
        }}
      />
    </>
  );
}

function focusAtOnce(field: HTMLInputElement | null): void {
  field?.focus();
}

/** Devices and views are read while the palette is open. */
function Fresh() {
  everyDevice.useWatch('all');
  views.useWatch('all');
  return null;
}
