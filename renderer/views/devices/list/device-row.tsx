import { memo, type MouseEvent } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { shortened } from '../../../format.ts';
import type { DeviceColumn } from './device-columns.tsx';
import classes from './device-table.module.css';
import { RowMenu } from './row-menu.tsx';
import type { Ticked } from './use-ticked.ts';

interface DeviceRowProps {
  readonly project_id: string;
  readonly device: FoundDevice;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly tracks: string;
  readonly columns: readonly DeviceColumn[];
  readonly isTicked: boolean;
  /** Whether Tab leads to it. */
  readonly isActive: boolean;
  readonly ticked: Pick<Ticked, 'toggle' | 'extendTo'>;
  readonly onOpen: (device: FoundDevice) => void;
}

/** A device: ticked by its box, opened by a click anywhere else. */
export const DeviceRow = memo(function DeviceRow(props: DeviceRowProps) {
  const { device, index, columns, isTicked, ticked } = props;
  const tick = ({ shiftKey }: MouseEvent) => (shiftKey ? ticked.extendTo(index) : ticked.toggle(index));
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isTicked}
      data-row={index}
      data-ticked={isTicked}
      data-active={props.isActive}
      className={classes['row']}
      style={{
        gridTemplateColumns: props.tracks,
        height: props.height,
        transform: `translateY(${props.top}px)`,
      }}
      onClick={(event) => {
        if (!(event.target as HTMLElement).closest('a, button, input, label')) props.onOpen(device);
      }}
    >
      <div role="cell" className={classes['tick']}>
        <input
          type="checkbox"
          aria-label={`Select ${shortened(device.name, 100)}`}
          checked={isTicked}
          tabIndex={-1}
          readOnly
          onClick={tick}
        />
      </div>
      {columns.map((column) => (
        <div role="cell" key={column.id} className={classes['cell']} data-align={column.align}>
          {column.cell(device, props.isActive)}
        </div>
      ))}
      <div role="cell" className={classes['menu']}>
        <RowMenu project_id={props.project_id} device={device} tabIndex={props.isActive ? 0 : -1} />
      </div>
    </div>
  );
});
