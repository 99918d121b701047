import { fitColumns } from '../../../components/screen/fit-columns.ts';
import type { DeviceColumn } from './device-columns.tsx';

/** Columns of ticks and of the menu. */
const TICK_WIDTH = 40;
const MENU_WIDTH = 44;

/** The columns that the list has room for, in px; 0 while it is not measured. */
export function columnsIn(columns: readonly DeviceColumn[], width: number): readonly DeviceColumn[] {
  const room = width === 0 ? 0 : Math.max(1, width - TICK_WIDTH - MENU_WIDTH);
  return fitColumns(columns, room, (column) => column.width);
}

export function tracksOf(columns: readonly DeviceColumn[]): string {
  const tracks = columns.map(({ id, width, grow }) =>
    id === 'name'
      ? `minmax(min(${width}px, 40%), ${grow ?? 1}fr)`
      : grow === undefined
        ? `${width}px`
        : `minmax(${width}px, ${grow}fr)`,
  );
  return [`${TICK_WIDTH}px`, ...tracks, `${MENU_WIDTH}px`].join(' ');
}
