import { Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { Route } from '../router.ts';
import { deviceKey, deviceDetail, everyDevice } from '../stores/devices.ts';
import { useDialog } from '../stores/dialog.ts';
import { projects } from '../stores/projects.ts';
import { paletteGroups } from './palette-groups.tsx';

/** Ctrl+K: go to anything, do anything. Silent while a dialog is open, whose work it would take away. */
export function Palette({ route }: { readonly route: Route }) {
  const [opened, setOpened] = useState(false);
  const [query, setQuery] = useState('');
  const inDialog = useDialog(({ open }) => open !== null);
  const ofProjects = projects.useValue('all').value ?? [];
  const { value: ofDevices, error } = everyDevice.useValue('all');
  const project_id = 'project_id' in route ? route.project_id : '';
  const device_id = 'device_id' in route ? route.device_id : '';
  const device = deviceDetail.useValue(deviceKey(project_id, device_id)).value?.device ?? null;
  const project = ofProjects.find(({ id }) => id === project_id) ?? null;
  const waiting = error === null ? 'Looking through the devices…' : error;
  return (
    <>
      {opened && <Fresh />}
      <Spotlight
        query={query}
        onQueryChange={setQuery}
        actions={opened ? paletteGroups(query, { project, device }, ofProjects, ofDevices ?? []) : []}
        // They are chosen already: Spotlight would have to be given ten thousand.
        filter={(_query, groups) => groups}
        onSpotlightOpen={() => setOpened(true)}
        onSpotlightClose={() => setOpened(false)}
        shortcut={inDialog ? null : 'mod + K'}
        nothingFound={ofDevices === null ? waiting : 'Nothing by that name.'}
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

/** Devices are read while the palette is open. */
function Fresh() {
  everyDevice.useWatch('all');
  return null;
}
