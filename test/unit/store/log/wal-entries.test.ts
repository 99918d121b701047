import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '#core/store/blocks/codec/bytes.ts';
import { DROP, ERASE, ROWS } from '#core/store/log/wal/wal-entry.ts';
import { WalEntries } from '#core/store/log/wal/wal-entries.ts';
import { UnitBytes } from '#core/store/log/wal/unit.ts';
import { readWal, WAL_HEADER_BYTES, walHeader } from '#core/store/log/wal/wal-format.ts';

const SALT = 7;

interface Written {
  readonly kind: number;
  readonly device: string;
  readonly payload: Uint8Array;
}

/** A log file of such units, the first entry being number 5. */
async function fileOf(units: readonly (readonly Written[])[]): Promise<Buffer> {
  const pieces: Buffer[] = [walHeader().subarray(0, WAL_HEADER_BYTES)];
  let sequence = 5;
  for (const entries of units) {
    const unit = new UnitBytes();
    for (const { kind, device, payload } of entries) {
      unit.u8(kind);
      unit.text(device);
      unit.u32(payload.length);
      unit.raw(payload);
    }
    const { length } = unit;
    await unit.finish(SALT, sequence, entries.length);
    pieces.push(Buffer.from(unit.written().subarray(0, length)));
    sequence += entries.length;
  }
  return Buffer.concat([...pieces, Buffer.alloc(32)]);
}

const entry = fc.record({
  kind: fc.constantFrom(ROWS, DROP, ERASE),
  // Names of few letters come again and again, and their hashes meet.
  device: fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 4 }),
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constant('\ud800'),
    fc.uuid(),
  ),
  payload: fc.uint8Array({ maxLength: 5 }),
});

test('entries are read as they were written, one by one, by device and by their last ones', async () => {
  const units = fc.array(fc.array(entry, { minLength: 1, maxLength: 300 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(units, async (written) => {
      const { entries, damaged, torn } = readWal(await fileOf(written), SALT);
      expect({ damaged, torn }).toEqual({ damaged: 0, torn: 0 });
      const expected = written.flat().map((one, i) => ({ ...one, sequence: 5 + i }));
      const found = Array.from(entries, (one) => ({
        kind: one.kind,
        device: one.device,
        payload: new Uint8Array(one.reader().raw(one.length)),
        sequence: one.sequence,
      }));
      expect(found).toEqual(expected);
      expect(entries.lastSequence).toBe(expected.at(-1)?.sequence ?? 0);
      expect(entries.holdsDeletion).toBe(expected.some(({ kind }) => kind !== ROWS));
      const owned = Map.groupBy(expected, ({ device }) => device);
      const byDevice = entries
        .devices()
        .map((device): [string, number[]] => [device, sequencesOf(entries, device)]);
      expect(new Map(byDevice)).toEqual(
        new Map(Array.from(owned, ([device, own]) => [device, own.map(({ sequence }) => sequence)])),
      );
      const last = expected.filter(({ kind }) => kind !== ERASE);
      expect(new Map(entries.lastOf().entries())).toEqual(
        new Map(last.map(({ device, sequence }) => [device, sequence])),
      );
    }),
  );
});

test('a name is one device, in whichever way it is written', () => {
  const file = new ByteWriter();
  for (const write of [
    () => file.text('ab'),
    () => {
      // As UTF-16, which the log uses for lone surrogates alone.
      file.varint(2 * 2 * 2 + 1);
      file.raw(Buffer.from('ab', 'utf16le'));
    },
  ]) {
    file.u8(ROWS);
    write();
    file.u32(0);
  }
  const entries = new WalEntries(file.copy());
  const reader = new ByteReader(file.copy());
  for (const sequence of [1, 2]) entries.read(reader, sequence);
  expect([...entries.lastOf().entries()]).toEqual([['ab', 2]]);
  expect(entries.devices()).toEqual(['ab']);
  expect(sequencesOf(entries, 'ab')).toEqual([1, 2]);
});

test('a device that comes in when the file is written on has no entry among those that were read', async () => {
  const { entries } = readWal(
    await fileOf([[{ kind: ROWS, device: 'a', payload: new Uint8Array(3) }]]),
    SALT,
  );
  entries.lastOf().set('b', 7);
  expect(entries.of('a')).toMatchObject({ length: 1 });
  expect(entries.of('b')).toBeNull();
  expect(entries.devices()).toEqual(['a']);
});

function sequencesOf(entries: WalEntries, device: string): number[] {
  const own = entries.of(device);
  return Array.from({ length: own?.length ?? 0 }, (_, n) => own?.at(n).sequence ?? NaN);
}
