import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconBell,
  IconCloudUpload,
  IconCpu,
  IconDots,
  IconFileImport,
  IconHistory,
  IconLayoutDashboard,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { memo, useMemo, useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { LocalProject } from '#shared/operations/metadata/projects.ts';
import { useMay } from '../../bridge/distant.ts';
import { lookOf } from '../../components/facts/status-look.ts';
import { useNow } from '../../components/facts/use-now.ts';
import { Empty } from '../../components/screen/empty.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { useShortcuts } from '../../components/screen/use-shortcuts.ts';
import { May } from '../../components/work/may.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { countOf, formatCount } from '../../format.ts';
import { goTo } from '../../router.ts';
import { useActions } from '../../stores/actions.ts';
import { devices } from '../../stores/devices.ts';
import { useDeleteOf } from '../../stores/undo/deletes.ts';
import { openDialog } from '../../stores/dialog.ts';
import { devicesOf } from '../../stores/found-devices.ts';
import { importFiles } from '../../stores/picked-files.ts';
import { projects } from '../../stores/projects.ts';
import { DeviceList } from './device-list.tsx';
import { SimulatedNote } from './simulated-note.tsx';
import type { DevicesShown } from './shown/devices-address.ts';
import { useFirstPage } from './shown/use-first-page.ts';
import { useListAddress } from './shown/use-list-address.ts';
import type { Trend } from './trends/use-trend.ts';
import { UnlikeLinks } from './trends/unlike-links.tsx';
import { Loading } from '../../components/work/loading.tsx';

/** The devices of a project. */
export function DevicesScreen({ project_id, list }: { readonly project_id: string } & DevicesShown) {
  const { isKnown, hasDashboard } = useFirstPage(project_id, list);
  const [shown, change] = useListAddress(project_id, list, hasDashboard);
  const of = devicesOf(project_id, shown.keys);
  devices.useWatch(of);
  const { value: latest, error } = devices.useValue(of);
  // Other keys are other answers: until they are there, what is known stays.
  const [before, setBefore] = useState<readonly FoundDevice[] | null>(null);
  if (latest !== null && latest !== before) setBefore(latest);
  // Nothing of the list shows where the dashboard is about to.
  const value = isKnown ? (latest ?? (error === null ? before : null)) : null;
  const project = projects.useValue('all').value?.find(({ id }) => id === project_id);
  const [unlike, setUnlike] = useState<Trend['unlike']>([]);
  const newDevice = () => openDialog({ kind: 'new-device', project_id });
  const mayCreate = useMay('devices.create');
  useShortcuts(mayCreate ? { n: newDevice } : {});
  useActions([
    {
      label: 'Dashboard of the project',
      icon: IconLayoutDashboard,
      shortcut: 'd',
      needs: 'widgets.list',
      run: () => goTo({ screen: 'dashboard', project_id }),
    },
  ]);
  return (
    // The line below the title stays while there is nothing to say in it: what stands below moves for nothing.
    <Screen
      title={project?.name ?? 'Devices'}
      description={
        value ? (
          <>
            <Counts devices={value} />
            <UnlikeLinks project_id={project_id} unlike={unlike} onChange={change} />
            {project?.description && ` · ${project.description}`}
          </>
        ) : (
          '\u00a0'
        )
      }
      actions={project && <ProjectActions project={project} />}
    >
      {error !== null && <Problem message={error} onRetry={devices.reload} />}
      {value === null && error === null && <Loading h={220} label="Loading devices" />}
      {value?.length === 0 && (
        <Empty
          icon={IconCpu}
          title="No devices yet"
          action={
            mayCreate && (
              <Button.Group>
                <Button onClick={newDevice}>Add the first device</Button>
                <May to="devices.create-many">
                  <Button variant="default" onClick={() => openDialog({ kind: 'new-devices', project_id })}>
                    Many from a list…
                  </Button>
                </May>
              </Button.Group>
            )
          }
        >
          A device gets an id and a token of its own and stores its readings with them. Recordings can be
          dropped here, too.
        </Empty>
      )}
      {project && value && <SimulatedNote project={project} devices={value} />}
      {value && value.length > 0 && (
        <DeviceList
          project_id={project_id}
          devices={value}
          shown={shown}
          onChange={change}
          onUnlike={setUnlike}
        />
      )}
    </Screen>
  );
}

/** `60 devices · 57 online · 2 late · 1 never seen · 1 outside its range`. What is searched for counts nothing anew. */
const Counts = memo(function Counts({ devices: all }: { readonly devices: readonly FoundDevice[] }) {
  const now = useNow(true);
  const words = useMemo(() => {
    const counts = { online: 0, late: 0, silent: 0, recording: 0, never: 0 };
    for (const device of all) counts[lookOf(device, now)]++;
    const outside = all.filter((device) => device.outside).length;
    const parts = [
      [counts.online, 'online'],
      [counts.late, 'late'],
      [counts.silent, 'silent for a day'],
      [counts.recording, counts.recording === 1 ? 'recording' : 'recordings'],
      [counts.never, 'never seen'],
      [outside, 'with a value outside its range'],
      [all.filter((device) => device.corrected).length, 'corrected'],
    ] as const;
    return parts.flatMap(([count, label]) => (count > 0 ? `${formatCount(count)} ${label}` : []));
  }, [all, now]);
  return [countOf(all.length, 'device'), ...words].join(' · ');
});

const ProjectActions = memo(function ProjectActions({ project }: { readonly project: LocalProject }) {
  const mayEdit = useMay('projects.update');
  const mayDelete = useMay(useDeleteOf('projects.remove', 'projects.delete'));
  const mayLookBack = useMay('audit.list');
  return (
    <>
      <May to="widgets.list">
        <Button
          variant="default"
          leftSection={<IconLayoutDashboard size={16} />}
          title="Dashboard (D)"
          onClick={() => goTo({ screen: 'dashboard', project_id: project.id })}
        >
          Dashboard
        </Button>
      </May>
      <May to="records.import">
        <Button
          variant="default"
          leftSection={<IconFileImport size={16} />}
          onClick={() => importFiles(project.id, [])}
        >
          Import files…
        </Button>
      </May>
      <May to="functions.list">
        <Button
          variant="default"
          leftSection={<IconBell size={16} />}
          onClick={() => goTo({ screen: 'rules', project_id: project.id })}
        >
          Rules
        </Button>
      </May>
      <May to="push.plan">
        <Button
          variant="default"
          leftSection={<IconCloudUpload size={16} />}
          onClick={() => goTo({ screen: 'push', project_id: project.id })}
        >
          Push…
        </Button>
      </May>
      {(mayEdit || mayDelete || mayLookBack) && (
        <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="More actions">
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayEdit && (
              <Menu.Item
                leftSection={<IconPencil size={16} />}
                onClick={() => openDialog({ kind: 'edit-project', project })}
              >
                Edit project…
              </Menu.Item>
            )}
            {mayLookBack && (
              <Menu.Item
                leftSection={<IconHistory size={16} />}
                onClick={() => goTo({ screen: 'service', part: 'audit', project: project.id })}
              >
                History
              </Menu.Item>
            )}
            {mayDelete && (
              <Menu.Item
                color="danger"
                leftSection={<IconTrash size={16} />}
                onClick={() => openDialog({ kind: 'delete-project', project })}
              >
                Delete project…
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
});
