import type { ByteWriter } from '../../blocks/codec/bytes.ts';

/** What is written with others of its moment. */
export interface NewEntry {
  readonly device: string;
  readonly kind: number;
  /** Runs at once. What it throws rejects this entry alone. */
  readonly write: (out: ByteWriter) => void;
  /** Makes the entry visible once it is durable. */
  readonly apply: (sequence: number) => void;
}

/** Adds an entry to a unit, whole or not at all: what could not be written must not spoil what others write. */
export function writeEntry({ device, kind, write }: Omit<NewEntry, 'apply'>, unit: ByteWriter): void {
  const start = unit.length;
  try {
    unit.u8(kind);
    unit.text(device);
    const lengthAt = unit.length;
    unit.u32(0);
    write(unit);
    unit.view.setUint32(lengthAt, unit.length - lengthAt - 4, true);
  } catch (error) {
    unit.length = start;
    throw error;
  }
}
