import { Button, Group, Text } from '@mantine/core';
import { IconArrowsExchange, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { Empty } from '../../components/screen/empty.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { VirtualTable, type TableHandle } from '../../components/table/virtual-table.tsx';
import { Loading } from '../../components/work/loading.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { countOf, formatCount } from '../../format.ts';
import { hrefTo } from '../../router.ts';
import { useActions } from '../../stores/actions.ts';
import { everyDevice } from '../../stores/devices.ts';
import { projects } from '../../stores/projects.ts';
import { lastRequests, useHeld } from '../../stores/requests/requests.ts';
import { RequestDetail } from './request-detail.tsx';
import { filtered, isFiltered, type Places } from './request-filter.ts';
import { RequestFilters } from './request-filters.tsx';
import { requestColumns } from './request-columns.tsx';
import type { RequestsShown } from './requests-address.ts';
import classes from './requests-screen.module.css';
import { useRequestsShown } from './use-requests-shown.ts';

const NO_ROWS: readonly SeenRequest[] = [];
const NO_FILTER = { find: null, door: null, outcome: null, kind: null, device: null } as const;
const keyOf = ({ id }: SeenRequest) => String(id);

/** The last requests of devices and programs, as they come; beside them one with its rule, body and answer. */
export function RequestsScreen(told: RequestsShown) {
  lastRequests.useWatch('all');
  const { value, error } = lastRequests.useValue('all');
  const places = usePlaces();
  const { shown, change, go } = useRequestsShown(told);
  const { held, rows, came, toggle } = usePause(value ?? NO_ROWS, shown, places);
  const { open } = shown;
  const columns = useMemo(() => {
    const hrefOf = (id: string) => hrefTo({ screen: 'requests', ...shown, open: id });
    return requestColumns(hrefOf, places, open);
  }, [shown, places, open]);
  const opened = useMemo(
    () => (open === undefined ? undefined : value?.find(({ id }) => String(id) === open)),
    [value, open],
  );
  const table = useRef<TableHandle>(null);
  useFocusBack(open, (id) => table.current?.focusRow(rows.findIndex((row) => String(row.id) === id)));
  return (
    <Screen
      title="Requests"
      description="What devices and programs asked, as it comes: the last 4,000, in memory alone, without tokens and keys."
      actions={
        <>
          {value && (
            <Text size="sm" c="dimmed" className={classes['count'] ?? ''}>
              {isFiltered(shown)
                ? `${formatCount(rows.length)} of ${countOf(value.length, 'request')}`
                : countOf(rows.length, 'request')}
            </Text>
          )}
          <Button
            variant={held ? 'filled' : 'default'}
            leftSection={held ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
            onClick={toggle}
          >
            {held ? (came > 0 ? `Follow · ${formatCount(came)} new` : 'Follow') : 'Pause'}
          </Button>
        </>
      }
    >
      {error !== null && <Problem message={error} onRetry={lastRequests.reload} />}
      {!value && error === null && <Loading h={220} label="Loading the requests" />}
      {value?.length === 0 && open === undefined && (
        <Empty icon={IconArrowsExchange} title="No requests yet">
          What devices store and programs ask shows up here by itself, with what became of it. A stop of the
          service forgets it.
        </Empty>
      )}
      {value && (value.length > 0 || open !== undefined) && (
        <>
          <RequestFilters requests={value} places={places} shown={shown} onChange={change} />

          <div className={classes['panel']} data-open={open !== undefined}>
            <div className={classes['list']}>
              {rows.length === 0 && (
                <Group gap="sm">
                  <Text c="dimmed">No request matches the filter.</Text>
                  <Button variant="default" size="xs" onClick={() => change(NO_FILTER)}>
                    Show all
                  </Button>
                </Group>
              )}
              {rows.length > 0 && (
                <VirtualTable
                  label="Requests"
                  rows={rows}
                  columns={columns}
                  rowKey={keyOf}
                  sort={shown.sort}
                  onSort={(sort) => change({ sort })}
                  onOpen={({ id }) => go({ open: String(id) })}
                  isLive
                  ref={table}
                />
              )}
            </div>
            {open !== undefined && (
              <RequestDetail
                key={open}
                request_id={open}
                row={opened}
                places={places}
                onClose={() => go({ open: null })}
              />
            )}
          </div>
        </>
      )}
      <div role="status" className={classes['spoken']}>
        {held ? 'The list stands still.' : ''}
      </div>
    </Screen>
  );
}

/** Gives the focus back to the row of what was open, where nothing else has it. */
function useFocusBack(open: string | undefined, focus: (id: string) => void): void {
  const last = useRef(open);
  const back = useEffectEvent(focus);
  useEffect(() => {
    const before = last.current;
    last.current = open;
    if (before !== undefined && open === undefined && document.activeElement === document.body) back(before);
  }, [open]);
}

/** Names of devices and projects. */
function usePlaces(): Places {
  everyDevice.useWatch('all');
  const { value: placed } = everyDevice.useValue('all');
  projects.useWatch('all');
  const { value: found } = projects.useValue('all');
  // As text: projects are read every few seconds, and mostly are called what they were called.
  const projectNames = JSON.stringify(found?.map(({ id, name }) => [id, name]) ?? []);
  return useMemo(
    () => ({
      devices: new Map(placed?.map(({ device }) => [device.id, device.name])),
      projects: new Map(JSON.parse(projectNames) as [string, string][]),
    }),
    [placed, projectNames],
  );
}

/** The list that stands still or follows: its rows, and how many came since. */
function usePause(all: readonly SeenRequest[], shown: RequestsShown, places: Places) {
  const held = useHeld(({ at }) => at);
  const { find, door, outcome, kind, device } = shown;
  const found = useMemo(() => {
    const filter = {
      ...(find && { find }),
      ...(door && { door }),
      ...(outcome && { outcome }),
      ...(kind && { kind }),
      ...(device && { device }),
    };
    return filtered(all, filter, places);
  }, [all, find, door, outcome, kind, device, places]);
  const rows = useMemo(() => (held === null ? found : found.filter(({ id }) => id <= held)), [found, held]);
  const toggle = () => useHeld.setState({ at: held === null ? (all[0]?.id ?? 0) : null });
  useActions([
    {
      label: held === null ? 'Pause the requests' : 'Follow the requests',
      icon: held === null ? IconPlayerPause : IconPlayerPlay,
      shortcut: 'l',
      run: toggle,
    },
  ]);
  // It is a pause of this visit.
  useEffect(() => () => useHeld.setState({ at: null }), []);
  return { held: held !== null, rows, came: found.length - rows.length, toggle };
}
