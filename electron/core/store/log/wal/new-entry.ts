import type { ByteWriter } from '../../blocks/codec/bytes.ts';
import type { UnitBytes } from './unit.ts';

/** Entry to be written, with others of its moment (group commit). */
export interface NewEntry {
  readonly device: string;
  readonly kind: number;
  /** Runs at once. What it throws rejects this entry alone. Bytes that it hands to `raw` may be looked at until it is durable. */
  readonly write: (out: ByteWriter) => void;
  /** Makes the entry visible once it is durable. */
  readonly apply: (sequence: number) => void;
}

/** Adds an entry to a unit, whole or not at all: what could not be written must not spoil what others write. */
export function writeEntry({ device, kind, write }: Omit<NewEntry, 'apply'>, unit: UnitBytes): void {
  unit.attempt(() => {
    unit.u8(kind);
    unit.text(device);
    const lengthAt = unit.length;
    unit.u32(0);
    const { total } = unit;
    write(unit);
    unit.view.setUint32(lengthAt, unit.total - total, true);
  });
}
