import { CloseButton, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { Problem } from '../../components/work/problem.tsx';
import { goTo, type Route } from '../../router.ts';
import { goToDevice } from '../../stores/beside.ts';
import { devices } from '../../stores/devices.ts';
import { useKeySettingsOfEach } from '../../stores/key-settings.ts';
import { projects } from '../../stores/projects.ts';
import { closeSidebarDrawer, setUnfolded, useSidebar } from '../../stores/sidebar.ts';
import { SidebarLinks } from './sidebar-links.tsx';
import classes from './sidebar.module.css';
import { routeOfRow, treeRows, type TreeRow } from './tree-rows.ts';
import { Tree } from './tree.tsx';

const NONE: readonly string[] = [];

/** Beside every screen: all projects with their devices and how they are, and the ways to the other screens. */
export function Sidebar({ route }: { readonly route: Route }) {
  const [typed, setTyped] = useState('');
  const filter = useDeferredValue(typed);
  const input = useRef<HTMLInputElement>(null);
  const { unfolded, covered } = useSidebar();
  const { value: all, error } = projects.useValue('all');
  const isFiltered = filter.trim() !== '';
  // Who looks for a device does not know where it is.
  const watched = useMemo(
    () => (all ?? []).map(({ id }) => id).filter((id) => isFiltered || unfolded.has(id)),
    [all, unfolded, isFiltered],
  );
  const known = devices.useEach(covered ? NONE : watched);
  const settingsOf = useKeySettingsOfEach(watched);
  const rows = useMemo(
    () => treeRows({ projects: all ?? [], devices: known, unfolded, filter }),
    [all, known, unfolded, filter],
  );
  return (
    <>
      <TextInput
        ref={input}
        type="search"
        size="xs"
        m={8}
        aria-label="Filter projects and devices"
        placeholder="Filter this tree"
        leftSection={<IconFilter size={14} aria-hidden />}
        rightSection={
          typed !== '' && (
            <CloseButton
              size="xs"
              aria-label="Clear the filter"
              onClick={() => {
                setTyped('');
                input.current?.focus();
              }}
            />
          )
        }
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && typed !== '') {
            event.stopPropagation();
            setTyped('');
          }
        }}
      />
      {error !== null && !all && <Problem message={error} onRetry={projects.reload} />}
      {rows.length === 0 && isFiltered && <p className={classes['empty']}>Nothing by that name.</p>}
      {rows.length > 0 && (
        <Tree rows={rows} current={keyOf(route)} settingsOf={settingsOf} onFold={setUnfolded} onOpen={open} />
      )}
      <SidebarLinks route={route} />
    </>
  );
}

function open(row: TreeRow): void {
  if (row.kind === 'words') return;
  closeSidebarDrawer();
  if (row.kind === 'device') return goToDevice(row.project_id, row.device.id);
  setUnfolded(row.project.id, true);
  goTo(routeOfRow(row));
}

/** The key of the row that a route shows. */
function keyOf(route: Route): string | null {
  if (!('project_id' in route)) return null;
  return 'device_id' in route ? `${route.project_id}/${route.device_id}` : route.project_id;
}
