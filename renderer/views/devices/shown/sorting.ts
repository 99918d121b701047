import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { Sort } from '../../../components/table/column.ts';
import type { DeviceColumn } from './device-column.ts';

/** Default sort: names in natural order, PT-101 above PT-120. */
export const FIRST_SORT: Sort = { column: 'name', descending: false };

/** The order of rows: what a column has nothing of comes last, whichever way the others go; equal ones go by name. */
export function orderOf(columns: readonly DeviceColumn[], { column, descending }: Sort) {
  const by = columns.find(({ id }) => id === column);
  const byName = columns.find(({ id }) => id === 'name')?.compare ?? (() => 0);
  const compare = by?.compare;
  if (!compare) return byName;
  // As a list begins: one function for whatever columns, so that other ones order nothing anew.
  if (compare === byName && !descending && !by.has) return byName;
  const direction = descending ? -1 : 1;
  const has = (device: FoundDevice) => by.has?.(device) ?? true;
  return (a: FoundDevice, b: FoundDevice) =>
    Number(has(b)) - Number(has(a)) || direction * compare(a, b) || byName(a, b);
}

/**
 * Makes what sorts beginning with the order of before: what comes in changes few rows, and thousands that are nearly in
 * order take a fraction of the comparisons.
 */
export function createSorter() {
  let before: readonly FoundDevice[] = [];
  return (
    devices: readonly FoundDevice[],
    order: (a: FoundDevice, b: FoundDevice) => number,
  ): readonly FoundDevice[] => {
    const left = new Map(devices.map((device) => [device.id, device]));
    const arranged: FoundDevice[] = [];
    for (const { id } of before) {
      const device = left.get(id);
      if (!device) continue;
      arranged.push(device);
      left.delete(id);
    }
    arranged.push(...left.values());
    return (before = arranged.toSorted(order));
  };
}
