import { Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { memo, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { useMay } from '../../bridge/distant.ts';
import { useNow } from '../../components/facts/use-now.ts';
import type { Sort } from '../../components/table/column.ts';
import { useTicked } from '../../components/table/use-ticked.ts';
import { VirtualTable, type TableHandle } from '../../components/table/virtual-table.tsx';
import { May } from '../../components/work/may.tsx';
import { countOf, formatCount, shortened } from '../../format.ts';
import { goTo } from '../../router.ts';
import { openDialog } from '../../stores/dialog.ts';
import { ColumnMenu } from './list/column-menu.tsx';
import { deviceMatcher, filterText, parseFilter, type DeviceFilter } from './shown/device-filter.ts';
import type { ListAddress } from './shown/devices-address.ts';
import { FilterBar } from './list/filter-bar.tsx';
import { FilterChips } from './list/filter-chips.tsx';
import { SelectedBar } from './list/selected-bar.tsx';
import { createSorter, FIRST_SORT, orderOf } from './shown/sorting.ts';
import { useDeviceColumns } from './list/use-device-columns.tsx';
import type { ListChange } from './shown/use-list-address.ts';
import { ViewSwitch } from './list/view-switch.tsx';
import type { Trend } from './trends/use-trend.ts';
import { Wall } from './wall/wall.tsx';

interface DeviceListProps {
  readonly project_id: string;
  readonly devices: readonly FoundDevice[];
  readonly shown: ListAddress;
  readonly onChange: (change: ListChange) => void;
  /** Called with the keys by which devices are unlike the others. */
  readonly onUnlike: (unlike: Trend['unlike']) => void;
}

const NONE: readonly string[] = [];
/** Returns the name of a device, of a length to be read aloud. */
const nameOfDevice = ({ name }: FoundDevice) => shortened(name, 100);

/** The devices of a project: found, ordered, ticked, opened. */
export function DeviceList({ project_id, devices, shown, onChange, onUnlike }: DeviceListProps) {
  const sort = shown.sort ?? FIRST_SORT;
  const filter = useMemo(() => parseFilter(shown.filter ?? ''), [shown.filter]);
  const { every, columns, chosen, trend, settingsOf, nameOf } = useDeviceColumns({
    project_id,
    devices,
    shown,
    filter,
    onChange,
  });
  const told = JSON.stringify(trend.unlike);
  const tell = useEffectEvent(onUnlike);
  useEffect(() => tell(JSON.parse(told) as Trend['unlike']), [told]);
  const mayCompare = useMay('series.trends');
  const isWall = mayCompare && shown.view === 'wall';

  // What fits is known once the table is measured; until then nothing is said to lack room.
  const [leftOut, setLeftOut] = useState(NONE);
  const order = useMemo(() => orderOf(every, sort), [every, sort]);
  const [sortFurther] = useState(createSorter);
  const sorted = useMemo(() => sortFurther(devices, order), [sortFurther, devices, order]);
  const now = useNow(true);
  // The present is another one each time: only what is looked for by status is found anew by it.
  const at = filter.conditions.some(({ field }) => field === 'status') ? now : 0;
  const rows = useMemo(() => sorted.filter(deviceMatcher(filter, at)), [sorted, filter, at]);

  const ticked = useTicked(rows);
  const ticking = useMemo(() => ({ ticked, nameOf: nameOfDevice }), [ticked]);
  const { ids } = ticked;
  const selected = useMemo(() => (ids.size > 0 ? sorted.filter(({ id }) => ids.has(id)) : []), [sorted, ids]);
  const hidden = useMemo(() => {
    if (selected.length === 0) return 0;
    const inList = new Set(rows.map(({ id }) => id));
    return selected.filter(({ id }) => !inList.has(id)).length;
  }, [rows, selected]);

  const hasTags = useMemo(() => devices.some(({ tags }) => tags.length > 0), [devices]);
  const isNarrowed = filter.conditions.length > 0 || filter.words !== '';
  const narrow = (next: DeviceFilter) => onChange({ filter: filterText(next) || null });
  // The same for as long as the list is: what they are given to is not drawn anew for each key that is pressed.
  const on = useMemo(
    () => ({
      wall: (isOn: boolean) => onChange({ view: isOn ? 'wall' : null }),
      columns: (next: readonly string[] | null) => onChange({ columns: next }),
      keys: (next: readonly string[] | null) => onChange({ keys: next }),
      sort: (next: Sort) => onChange({ sort: next }),
      open: ({ id }: FoundDevice) => goTo({ screen: 'device', project_id, device_id: id, tab: 'chart' }),
    }),
    [project_id, onChange],
  );
  const input = useRef<HTMLInputElement>(null);
  const table = useRef<TableHandle>(null);
  return (
    <>
      <Group gap="xs">
        <FilterBar
          devices={devices}
          filter={filter}
          onChange={narrow}
          onDown={() => table.current?.focusRow(0)}
          input={input}
        />
        <Group gap="xs" ml="auto">
          {mayCompare && <ViewSwitch isWall={isWall} onChange={on.wall} />}
          {!isWall && (
            <ColumnMenu
              columns={chosen}
              onColumns={on.columns}
              leftOut={leftOut}
              project_id={project_id}
              devices={devices}
              keys={shown.keys ?? null}
              nameOf={nameOf}
              onKeys={on.keys}
            />
          )}
          <May to="devices.create">
            <NewDevice project_id={project_id} />
          </May>
        </Group>
      </Group>
      {isNarrowed && (
        <Group gap="xs">
          <FilterChips filter={filter} onChange={narrow} />
          <Text size="sm" c="dimmed" role="status">
            {formatCount(rows.length)} of {countOf(devices.length, 'device')}
          </Text>
        </Group>
      )}
      {selected.length > 0 && (
        <SelectedBar project_id={project_id} devices={selected} hidden={hidden} onNone={ticked.none} />
      )}
      {trend.compared.left > MOST_UNTOLD && (
        <Text size="sm" c="dimmed" role="status">
          Comparing the last day: {formatCount(trend.compared.left)} devices left
        </Text>
      )}
      {rows.length === 0 ? (
        <Text c="dimmed">
          No device matches “{shown.filter}”.{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => onChange({ filter: null })}>
            Show all
          </Button>
        </Text>
      ) : isWall ? (
        <Wall
          project_id={project_id}
          rows={rows}
          devices={devices}
          trend={trend}
          settingsOf={settingsOf}
          nameOf={nameOf}
          sort={sort}
          onChange={onChange}
          onLeave={() => input.current?.focus()}
          ref={table}
        />
      ) : (
        <VirtualTable
          label="Devices"
          density={hasTags ? 'compact-high' : 'compact'}
          rows={rows}
          rowKey={({ id }) => id}
          columns={columns}
          onFit={setLeftOut}
          sort={sort}
          isSorted
          onSort={on.sort}
          ticking={ticking}
          onOpen={on.open}
          reusesRows
          onLeave={() => input.current?.focus()}
          ref={table}
        />
      )}
    </>
  );
}

/** So many are read before somebody wonders. */
const MOST_UNTOLD = 1_000;

/** One is what is mostly meant; many are beside it. */
const NewDevice = memo(function NewDevice({ project_id }: { readonly project_id: string }) {
  return (
    <Button.Group>
      <Button
        leftSection={<IconPlus size={16} />}
        onClick={() => openDialog({ kind: 'new-device', project_id })}
      >
        New device
      </Button>
      <May to="devices.create-many">
        <Menu position="bottom-end">
          <Menu.Target>
            <Button px={8} aria-label="More ways to add devices">
              <IconChevronDown size={16} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => openDialog({ kind: 'new-devices', project_id })}>
              Many from a list or CSV…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </May>
    </Button.Group>
  );
});
