import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { TableColumn } from '../../../components/table/column.ts';

export interface DeviceColumn extends TableColumn<FoundDevice> {
  /** Whether a device has anything in it: what none has is not shown. */
  readonly has?: (device: FoundDevice) => boolean;
}

/** Pixels of a digit, at most, and of what stands beside a number: padding, and a mark where it is out of the ordinary. */
const LETTER = 8;
const CELL_PADDING = 46;
/** The same of a header: padding, and the arrow of the order. */
const HEADER_LETTER = 7;
const HEADER_PADDING = 40;
const PLAIN_PADDING = 20;
const PLAIN_LETTER = 7.2;
const WIDEST_HEADER = 210;

/** Pixels of a header without an order, whole. */
export const plainWidth = (header: string) => PLAIN_PADDING + PLAIN_LETTER * header.length;

/** Pixels of a header and what stands beside it. */
const headerWidth = (header: string) =>
  Math.min(WIDEST_HEADER, HEADER_PADDING + HEADER_LETTER * header.length);

/** Returns the width of a column that is as wide as its header and its longest text. */
export const widthOf = (header: string, length: number) =>
  `${Math.max(CELL_PADDING + LETTER * length, headerWidth(header))}px`;
