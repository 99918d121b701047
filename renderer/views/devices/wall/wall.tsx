import { Button, Group, Text } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useImperativeHandle, useRef, type Ref } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { Sort } from '../../../components/table/column.ts';
import type { TableHandle } from '../../../components/table/virtual-table.tsx';
import { shortenedKey } from '../../../format.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { KeyPicker } from '../list/key-picker.tsx';
import type { ListChange } from '../shown/use-list-address.ts';
import { scaleText } from '../trends/trend-columns.tsx';
import type { Trend } from '../trends/use-trend.ts';
import { useCellKeys } from './use-cell-keys.ts';
import { GAP, WallCell } from './wall-cell.tsx';
import classes from './wall.module.css';

/** Pixels of a curve's cell: at least so wide, and so high with the space below it. */
const LEAST_WIDTH = 208;
const CELL_HEIGHT = 116;
const OVERSCAN = 2;

const ORDERS = [
  { label: 'By name', column: 'name' },
  { label: 'By deviation', column: 'deviation' },
] as const;

interface WallProps {
  readonly project_id: string;
  /** Devices that are found, in order. */
  readonly rows: readonly FoundDevice[];
  /** All of the project. */
  readonly devices: readonly FoundDevice[];
  readonly trend: Trend;
  readonly settingsOf: SettingsOf;
  readonly nameOf: (key: string) => string;
  readonly sort: Sort;
  readonly onChange: (change: ListChange) => void;
  /** Goes up from the first row. */
  readonly onLeave: () => void;
  readonly ref?: Ref<TableHandle>;
}

/** The last day of every device that is found, on one scale; a press opens a device. */
export function Wall(props: WallProps) {
  const { project_id, rows, devices, trend, settingsOf, nameOf, sort } = props;
  const { key, compared, settings } = trend;
  const { ref: sized, width } = useElementSize();
  const frame = useRef<HTMLDivElement>(null);
  const across = Math.max(1, Math.floor((width + GAP) / (LEAST_WIDTH + GAP)));
  // oxlint-disable-next-line react/incompatible-library -- only matters to the React compiler, which is not used
  const virtual = useVirtualizer({
    count: Math.ceil(rows.length / across),
    getScrollElement: () => frame.current,
    estimateSize: () => CELL_HEIGHT,
    overscan: OVERSCAN,
  });
  const { active, onKeyDown, onFocus, goTo } = useCellKeys({
    frame,
    count: rows.length,
    across,
    scrollTo: (index) => virtual.scrollToIndex(Math.floor(index / across)),
    onLeave: props.onLeave,
  });
  useImperativeHandle(props.ref, () => ({ focusRow: goTo }));
  const frameRef = useMergedRef(sized, frame);
  return (
    <>
      <Group gap="xs">
        <KeyPicker
          project_id={project_id}
          devicesNow={() => devices}
          chosen={key}
          nameOf={nameOf}
          onChoose={(chosen) => props.onChange({ trend: chosen })}
          target={
            <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
              {key === '' ? 'Last day of a key of each' : `${shortenedKey(nameOf(key), 40)}, last day`}
            </Button>
          }
        />
        <Button.Group aria-label="Sorted">
          {ORDERS.map(({ label, column }) => (
            <Button
              key={column}
              size="xs"
              variant={(sort.column === 'deviation') === (column === 'deviation') ? 'light' : 'default'}
              aria-pressed={(sort.column === 'deviation') === (column === 'deviation')}
              onClick={() => props.onChange({ sort: { column, descending: column === 'deviation' } })}
            >
              {label}
            </Button>
          ))}
        </Button.Group>
        {key !== '' && compared.scale && (
          <Text size="xs" c="dimmed">
            On one scale, {scaleText(compared.scale, settings)}
            {compared.scale.isCut && '; what lies beyond runs along its edge'}
          </Text>
        )}
      </Group>
      <div ref={frameRef} className={classes['frame']} tabIndex={-1} onKeyDown={onKeyDown} onFocus={onFocus}>
        <div
          role="list"
          aria-label="Devices"
          className={classes['wall']}
          style={{ height: virtual.getTotalSize() }}
        >
          {virtual
            .getVirtualItems()
            .flatMap(({ index, start }) =>
              rows
                .slice(index * across, (index + 1) * across)
                .map((device, at) => (
                  <WallCell
                    key={device.id}
                    project_id={project_id}
                    device={device}
                    index={index * across + at}
                    count={rows.length}
                    top={start}
                    at={at}
                    across={across}
                    isActive={index * across + at === active}
                    trend={trend}
                    settingsOf={settingsOf}
                  />
                )),
            )}
        </div>
      </div>
    </>
  );
}
