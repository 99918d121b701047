import { join } from 'node:path';
import { systemRandom } from '../../base/system-random.ts';
import { allocate } from '../blocks/codec/bytes.ts';
import type { Devices } from './device/devices.ts';
import { upgradeNote } from '../upgrade-note.ts';
import { diskError } from '../../disk/errors.ts';
import type { OpenFile } from '../../disk/files.ts';
import type { Common } from './device/common.ts';
import type { WalFile } from './wal/wal-files.ts';
import { Wal, type WalHooks } from './wal/wal.ts';
import { Gathered } from './replay.ts';
import {
  parseWalName,
  readWal,
  TERMINATOR_BYTES,
  WAL_HEADER_BYTES,
  WAL_VERSION,
  walHeader,
  walName,
  type WalReport,
} from './wal/wal-format.ts';

/** Bytes of a file that are read at first, in which the log mostly ends: a second read costs again. */
const FIRST_BYTES = 4 << 20;
const LOOK_AHEAD_BYTES = 1 << 20;

export interface Recovered {
  readonly wal: Wal;
  /** Older files, oldest first, whose entries are not yet all in segments. */
  readonly older: readonly WalFile[];
  /** Whether they tell that something was deleted: they may still hold it. */
  readonly mayHoldDeleted: boolean;
}

/**
 * Recovery: replays entries of the write-ahead log that segments lack. An entry that a device's manifest covers was moved to
 * a segment before the crash; it is passed over, so that nothing is doubled.
 */
export async function recover(common: Common, hooks: WalHooks, devices: Devices): Promise<Recovered> {
  const { files, directory } = common;
  const found = await files.list(directory);
  const names = found.flatMap(({ name }) => {
    const parsed = parseWalName(name);
    return parsed === null ? [] : [{ name, ...parsed }];
  });
  names.sort((a, b) => a.sequence - b.sequence);
  if (names.length === 0) {
    const salt = systemRandom.bytes(4).readUInt32LE(0);
    const name = walName(1, salt);
    const file = files.openForWriting(join(directory, name), true);
    file.writeNow(walHeader(), 0);
    await file.sync();
    file.close();
    await files.syncDirectory(directory);
    names.push({ name, sequence: 1, salt });
  }
  devices.haveFolders(found.filter(({ isDirectory }) => isDirectory).map(({ name }) => name));
  const opened: WalFile[] = [];
  let sequence = 0;
  let mayHoldDeleted = false;
  const gathered = new Gathered(common, devices);
  for (const { name, salt, sequence: first } of names) {
    const path = join(directory, name);
    const file = files.openForWriting(path, false);
    const { bytes, report } = await readWalFile(file, salt);
    noteReport(common, name, report);
    if (name === names.at(-1)?.name) noteUpgrade(common, name, report);
    sequence = Math.max(sequence, first - 1, report.entries.lastSequence);
    mayHoldDeleted ||= report.entries.holdsDeletion;
    await gathered.add(report.entries, bytes.length);
    if (name === names.at(-1)?.name) await confirmEnd(file, bytes, report);
    opened.push({
      path,
      file,
      salt,
      lastOf: report.entries.lastOf(),
      end: report.end,
      allocated: file.size,
      mayHoldDeleted: false,
      tellsOfDeletion: report.entries.holdsDeletion,
      isGivenUp: false,
    });
  }
  await gathered.end();
  const current = opened.pop();
  if (current === undefined) throw new Error('There is always a file to write to.');
  return { wal: new Wal(common, current, sequence + 1, hooks), older: opened, mayHoldDeleted };
}

/**
 * Reads on until a good stretch after the end of the log shows nothing more: the rest of a file that is used again is
 * what an earlier use left. Whatever is not in order is looked for in all of it.
 */
async function readWalFile(file: OpenFile, salt: number): Promise<{ bytes: Buffer; report: WalReport }> {
  const { size } = file;
  for (let length = Math.min(size, FIRST_BYTES); ; length = size) {
    const bytes = allocate(length);
    await file.read(bytes, 0);
    const report = readWal(bytes, salt);
    const inOrder = report.torn === 0 && report.damaged === 0 && report.end + LOOK_AHEAD_BYTES <= length;
    if (inOrder || length === size) return { bytes, report };
  }
}

/**
 * The last unit may never have been confirmed: it is written once more, so that it is on disk and not just in the cache
 * of the operating system, and the tail that a crash left ends here.
 */
async function confirmEnd(
  file: WalFile['file'],
  bytes: Buffer,
  { version, lastStart, end, entries }: WalReport,
): Promise<void> {
  try {
    if (entries.length === 0) {
      // Nothing says that the header was confirmed, either.
      file.writeNow(walHeader(), 0);
    } else {
      const tail = allocate(end - lastStart + TERMINATOR_BYTES);
      bytes.copy(tail, 0, lastStart, end);
      file.writeNow(tail, lastStart);
      // It is gone on with in this version's words, which an older Fieldbench must not pass over.
      if (version > 0 && version < WAL_VERSION) file.writeNow(walHeader().subarray(0, WAL_HEADER_BYTES), 0);
    }
  } catch (error) {
    throw diskError(error, 'opening the write-ahead log');
  }
  await file.sync();
}

/** Of the file that is gone on with: the others are read as they are. */
function noteUpgrade(common: Common, name: string, { version }: WalReport): void {
  if (version === 0 || version === WAL_VERSION) return;
  const message = upgradeNote(`The write-ahead log "${name}"`, version, WAL_VERSION);
  common.note({ device: null, kind: 'upgraded', message });
}

function noteReport(common: Common, name: string, { torn, damaged }: WalReport): void {
  if (damaged > 0) {
    const message = `${damaged} bytes of "${name}" are damaged; records in them are lost, those before and after are not.`;
    common.note({ device: null, kind: 'damaged', message });
  }
  if (torn > 0) {
    const message = `"${name}" ended in the middle of a write. What was not yet acknowledged was cut off.`;
    common.note({ device: null, kind: 'torn-tail', message });
  }
}
