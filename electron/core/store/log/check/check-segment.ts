import { StoreError } from '../../../base/errors.ts';
import { allocate } from '../../blocks/codec/bytes.ts';
import { Block, isBlock } from '../../blocks/block/block.ts';
import { BlockTable } from '../../blocks/block/block-table.ts';
import { summarize } from '../../blocks/block/block-stats.ts';
import { KeyTables } from '../../blocks/block/key-table.ts';
import type { Files } from '../../../disk/files.ts';
import { openSegment, readKeyTable, type OpenSegment } from '../segment/segment-file.ts';
import { scanSegment } from '../segment/segment-scan.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import type { Fault, Found } from './finding.ts';

/** Called between one block and the next, with the bytes read since: the time to give way to others, or to end by rejecting. */
export type Pause = (bytes: number) => Promise<void>;

export interface SegmentReport {
  /** Records in whole blocks. */
  readonly rows: number;
  readonly bytes: number;
  readonly found: readonly Found[];
}

/** Reads every byte of a segment: CRCs, order of the records, index against blocks. Throws what the disk does, and `newer-format`. */
export async function checkSegment(
  files: Files,
  path: string,
  meta: SegmentMeta,
  pause: Pause,
): Promise<SegmentReport> {
  const found: Found[] = [];
  const say = (message: string, loses: boolean, fault: Fault) =>
    void found.push({ file: `${meta.id}.seg`, message, loses, fault });
  const open = openWhole(files, path);
  if (open !== null) {
    try {
      return { rows: await checkBlocks(open, meta.id, say, pause), bytes: open.file.size, found };
    } finally {
      open.file.close();
    }
  }
  const file = files.openForReading(path);
  try {
    const { rows } = scanSegment(file).table;
    const message = `Its index is damaged; ${meta.rows - rows} of ${meta.rows} records are lost.`;
    say(message, rows < meta.rows, { kind: 'index', segment: meta.id });
    return { rows, bytes: file.size, found };
  } finally {
    file.close();
  }
}

/** Null when trailer or index are damaged. */
function openWhole(files: Files, path: string): OpenSegment | null {
  try {
    return openSegment(files, path);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'damaged') return null;
    throw error;
  }
}

/** Resolves with the records in whole blocks. */
async function checkBlocks(
  open: OpenSegment,
  segment: number,
  say: (message: string, loses: boolean, fault: Fault) => void,
  pause: Pause,
): Promise<number> {
  const { file, table } = open;
  const found = new BlockTable();
  const keys = new KeyTables();
  for (let block = 0; block < table.count; block++) {
    const bytes = allocate(table.lengthOf(block));
    file.readNow(bytes, table.offsetOf(block));
    if (isBlock(bytes)) {
      const summary = summarize(new Block(bytes));
      found.add(table.offsetOf(block), bytes.length, summary);
      keys.add(block, summary);
    } else {
      const message = `Block ${block} is damaged; its ${table.rowsOf(block)} records are lost.`;
      say(message, true, { kind: 'block', segment, block });
    }
    await pause(bytes.length);
  }
  if (found.count < table.count) return found.rows;
  if (!isSorted(found)) {
    say('Its blocks are not in order.', false, { kind: 'index', segment });
  } else if (!table.equals(found) || !(await summariesMatch(open, keys, pause))) {
    const message = 'What its index says of its blocks is damaged; they say it themselves.';
    say(message, false, { kind: 'index', segment });
  }
  return found.rows;
}

async function summariesMatch(open: OpenSegment, keys: KeyTables, pause: Pause): Promise<boolean> {
  if (open.keys.size !== keys.byKey.size) return false;
  for (const entry of open.keys.values()) {
    const read = readKeyTable(open, entry);
    const found = keys.byKey.get(entry.key);
    if (read === null || found === undefined || !read.equals(found)) return false;
    if (entry.cells !== found.cells || entry.numeric !== found.numeric) return false;
    await pause(entry.length);
  }
  return true;
}

function isSorted(table: BlockTable): boolean {
  for (let block = 1; block < table.count; block++)
    if (table.firstOf(block) < table.lastOf(block - 1)) return false;
  return true;
}
