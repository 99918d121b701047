import { useItemsOf, type FileItem } from '../../import/files/file-items.ts';
import { removeItem } from '../../import/files/look-at-files.ts';
import { runImports } from '../../import/files/run-imports.ts';
import { goTo } from '../../router.ts';
import { devices } from '../../stores/devices.ts';
import { devicesOf } from '../../stores/found-devices.ts';
import { FilesScreen } from './files-screen.tsx';

/** Files on their way into devices of a project. */
export function ImportScreen({ project_id }: { readonly project_id: string }) {
  const of = devicesOf(project_id);
  devices.useWatch(of);
  const known = devices.useValue(of).value ?? [];
  const items = useItemsOf(project_id);
  const nameOf = ({ target }: FileItem) =>
    target.kind === 'new' ? target.name : (known.find(({ id }) => id === target.device_id)?.name ?? 'device');
  const leave = () => {
    for (const { id, state } of items) if (state.name !== 'importing') removeItem(project_id, id);
    const [only, ...others] = new Set(items.map(deviceOf));
    if (only && others.length === 0) goTo({ screen: 'device', project_id, device_id: only, tab: 'chart' });
    else goTo({ screen: 'devices', project_id });
  };
  return (
    <FilesScreen
      project_id={project_id}
      title="Import files"
      empty="Drop recordings anywhere, or choose them. CSV and NDJSON, any number at once: each becomes a new device, or goes into one that you choose."
      devices={known}
      nameOf={nameOf}
      onImport={(ready) => runImports(project_id, ready, nameOf)}
      onLeave={leave}
    />
  );
}

/** The device of a file, as far as there is one yet. */
function deviceOf({ state, target }: FileItem): string | null {
  if (state.name === 'done') return state.device_id;
  return target.kind === 'device' ? target.device_id : null;
}
