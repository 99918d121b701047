/*
 * Records of a ZIP file (APPNOTE 6.3.10, 4.3): of each file a local header, of one whose length is not known at its beginning a data
 * descriptor behind it, and at the end the central directory. Files are deflated, owned by nobody, of 1980-01-01, the first day of ZIP.
 */

/** A file of a ZIP file. */
export interface ZipEntry {
  readonly name: Buffer;
  /** Whether its length is not known at its beginning: its descriptor tells it. */
  readonly isStreamed: boolean;
  /** Bytes before its local header. */
  readonly offset: number;
  crc: number;
  compressed: number;
  uncompressed: number;
}

/** The largest number of a record; from the next one on ZIP64 has 64 bits for it (4.5.3), and 0xffffffff stands in its place. */
export const MOST_OF_32_BITS = 0xfffffffe;
const MOST_ENTRIES = 0xfffe;
const IN_ZIP64 = 0xffffffff;
const ENTRIES_IN_ZIP64 = 0xffff;

const VERSION_NEEDED = 20;
const VERSION_NEEDED_OF_ZIP64 = 45;
/** Unix, 6.3. */
const VERSION_MADE_BY = (3 << 8) | 63;
const NAME_IS_UTF8 = 1 << 11;
const HAS_DESCRIPTOR = 1 << 3;
const DEFLATED = 8;
const NO_TIME = 0;
const FIRST_DAY = (1 << 5) | 1;
/** A regular file, to be written by its owner and group. */
const ATTRIBUTES = (0o100664 << 16) >>> 0;

/** Number of a record: its bytes, and itself. */
type Field = readonly [bytes: 2 | 4 | 8, value: number];

export function localHeader(entry: ZipEntry): Buffer {
  const [crc, compressed, uncompressed] = entry.isStreamed
    ? [0, 0, 0]
    : [entry.crc, entry.compressed, entry.uncompressed];
  const fields = recordOf([
    [4, 0x04034b50],
    [2, VERSION_NEEDED],
    ...kindOf(entry),
    [4, crc],
    [4, compressed],
    [4, uncompressed],
    [2, entry.name.length],
    [2, 0],
  ]);
  return Buffer.concat([fields, entry.name]);
}

/** Data descriptor, which follows on the bytes of a file. `most`: of 32 bits. */
export function dataDescriptor(entry: ZipEntry, most: number): Buffer {
  const bytes = isZip64(entry, most) ? 8 : 4;
  return recordOf([
    [4, 0x08074b50],
    [4, entry.crc],
    [bytes, entry.compressed],
    [bytes, entry.uncompressed],
  ]);
}

export function centralHeader(entry: ZipEntry, most: number): Buffer {
  const is64 = isZip64(entry, most);
  const { name, compressed, uncompressed, offset } = entry;
  const in32 = (value: number) => (is64 ? IN_ZIP64 : value);
  const extra = recordOf(
    is64
      ? [
          [2, 1],
          [2, 24],
          [8, uncompressed],
          [8, compressed],
          [8, offset],
        ]
      : [],
  );
  const fields = recordOf([
    [4, 0x02014b50],
    [2, VERSION_MADE_BY],
    [2, is64 ? VERSION_NEEDED_OF_ZIP64 : VERSION_NEEDED],
    ...kindOf(entry),
    [4, entry.crc],
    [4, in32(compressed)],
    [4, in32(uncompressed)],
    [2, name.length],
    [2, extra.length],
    // A comment, a disk, internal attributes.
    [2, 0],
    [2, 0],
    [2, 0],
    [4, ATTRIBUTES],
    [4, in32(offset)],
  ]);
  return Buffer.concat([fields, name, extra]);
}

/** The central directory's place. */
export interface Directory {
  readonly entries: number;
  readonly offset: number;
  readonly bytes: number;
}

/** End of central directory record; with ZIP64's records before where a number has no room. */
export function endOfDirectory({ entries, offset, bytes }: Directory, most: number): Buffer {
  const mostEntries = Math.min(MOST_ENTRIES, most);
  const end = recordOf([
    [4, 0x06054b50],
    // This disk, and that of the directory.
    [2, 0],
    [2, 0],
    [2, entries > mostEntries ? ENTRIES_IN_ZIP64 : entries],
    [2, entries > mostEntries ? ENTRIES_IN_ZIP64 : entries],
    [4, bytes > most ? IN_ZIP64 : bytes],
    [4, offset > most ? IN_ZIP64 : offset],
    [2, 0],
  ]);
  if (entries <= mostEntries && bytes <= most && offset <= most) return end;
  const end64 = recordOf([
    [4, 0x06064b50],
    // Bytes of this record behind this number.
    [8, 44],
    [2, VERSION_MADE_BY],
    [2, VERSION_NEEDED_OF_ZIP64],
    [4, 0],
    [4, 0],
    [8, entries],
    [8, entries],
    [8, bytes],
    [8, offset],
  ]);
  const locator = recordOf([
    [4, 0x07064b50],
    [4, 0],
    [8, offset + bytes],
    [4, 1],
  ]);
  return Buffer.concat([end64, locator, end]);
}

const isZip64 = ({ compressed, uncompressed, offset }: ZipEntry, most: number) =>
  compressed > most || uncompressed > most || offset > most;

/** Flags, method and time, which local and central headers have alike. */
const kindOf = ({ isStreamed }: ZipEntry): readonly Field[] => [
  [2, NAME_IS_UTF8 | (isStreamed ? HAS_DESCRIPTOR : 0)],
  [2, DEFLATED],
  [2, NO_TIME],
  [2, FIRST_DAY],
];

/** Numbers one after another, little-endian. */
function recordOf(fields: readonly Field[]): Buffer {
  const record = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields)
    at =
      bytes === 8
        ? record.writeBigUInt64LE(BigInt(value), at)
        : bytes === 4
          ? record.writeUInt32LE(value, at)
          : record.writeUInt16LE(value, at);
  return record;
}
