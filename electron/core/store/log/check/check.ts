import { join } from 'node:path';
import { StoreError } from '../../../errors.ts';
import { allocate } from '../../blocks/codec/bytes.ts';
import { Block, isBlock } from '../../blocks/block/block.ts';
import { BlockTable } from '../../blocks/block/block-table.ts';
import { KeyTables } from '../../blocks/block/key-table.ts';
import { errorCode } from '../../../disk/errors.ts';
import { nodeFiles, type Files } from '../../../disk/files.ts';
import type { Fault, Finding } from './finding.ts';
import {
  decodeManifest,
  MANIFEST,
  parseSegmentName,
  readManifestBytes,
  segmentPath,
} from '../segment/manifest.ts';
import { repairLog } from './repair.ts';
import { readReceipts, RECEIPTS } from '../device/receipts-file.ts';
import { openSegment, readKeyTable, type OpenSegment } from '../segment/segment-file.ts';
import { scanSegment } from '../segment/segment-scan.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import { summarize } from '../../blocks/block/block-stats.ts';
import { parseWalName, readWal } from '../wal/wal-format.ts';

export interface CheckReport {
  readonly devices: number;
  readonly files: number;
  /** Records in whole blocks; what is in the write-ahead log comes on top. */
  readonly records: number;
  readonly bytes: number;
  readonly findings: readonly Finding[];
  /** Whether what was found has been mended. */
  readonly repaired: boolean;
}

export interface CheckOptions {
  readonly repair?: boolean;
  readonly files?: Files;
}

/**
 * Reads every byte of a store that nobody has open: CRCs, order of the records, index against blocks. Changes nothing,
 * unless `repair`: then damaged blocks are set aside as files beside the segments, and everything else is whole again.
 * Throws StoreError (`newer-format`, `io`, `read-only`).
 */
export async function checkLog(
  directory: string,
  { repair = false, files = nodeFiles }: CheckOptions = {},
): Promise<CheckReport> {
  const check = new Check(directory, files);
  await check.run();
  const repaired = repair && check.findings.length > 0;
  if (repaired) await repairLog(directory, files, check.findings);
  const { devices, fileCount, records, bytes, findings } = check;
  return { devices, files: fileCount, records, bytes, findings, repaired };
}

class Check {
  readonly findings: Finding[] = [];
  devices = 0;
  fileCount = 0;
  records = 0;
  bytes = 0;
  readonly #directory: string;
  readonly #files: Files;

  constructor(directory: string, files: Files) {
    this.#directory = directory;
    this.#files = files;
  }

  async run(): Promise<void> {
    for (const { name, isDirectory } of await this.#files.list(this.#directory)) {
      const wal = parseWalName(name);
      if (wal !== null) this.#wal(name, wal.salt);
      else if (isDirectory && /^[0-9a-zA-Z-]+$/.test(name)) await this.#device(name);
    }
  }

  #wal(name: string, salt: number): void {
    const file = this.#files.openForReading(join(this.#directory, name));
    const content = allocate(file.size);
    file.readNow(content, 0);
    file.close();
    this.#count(content.length);
    const { torn, damaged } = readWal(content, salt);
    const found = (message: string, loses: boolean) =>
      this.findings.push({ device: null, file: name, message, loses, fault: { kind: 'wal' } });
    if (damaged > 0) found(`${damaged} bytes between whole entries are damaged.`, true);
    if (torn > 0) found('It ends in the middle of a write: cut off by a crash, or damaged.', true);
  }

  async #device(id: string): Promise<void> {
    const folder = join(this.#directory, id);
    const names = (await this.#files.list(folder)).map(({ name }) => name);
    if (names.length === 0) return;
    this.devices++;
    const segments = this.#manifest(id, folder);
    const named = new Set(segments?.map((segment) => segment.id));
    for (const meta of segments ?? []) {
      if (names.includes(`${meta.id}.seg`)) this.#segment(id, folder, meta);
      else
        this.#found(id, `${meta.id}.seg`, `It is missing, and ${meta.rows} records with it.`, true, {
          kind: 'missing',
        });
    }
    if (names.includes(RECEIPTS)) this.#receipts(id, folder);
    for (const name of names) {
      const number = parseSegmentName(name);
      const stray = number === null ? name.endsWith('.tmp') : segments !== null && !named.has(number);
      if (stray) this.#found(id, name, 'It belongs to nothing: a crash left it.', false, { kind: 'stale' });
    }
  }

  /** The segments that belong to the device; null when nothing says so. */
  #manifest(id: string, folder: string): readonly SegmentMeta[] | null {
    try {
      const content = readManifestBytes(this.#files, folder);
      this.#count(content.length);
      const { manifest, whole } = decodeManifest(content);
      if (!whole) this.#found(id, MANIFEST, 'One of its two copies is damaged.', false, { kind: 'manifest' });
      return manifest.segments;
    } catch (error) {
      const isDamaged = error instanceof StoreError && error.code === 'damaged';
      if (!isDamaged && errorCode(error) !== 'ENOENT') throw error;
      const message = isDamaged ? 'It is damaged; the segments tell what it held.' : 'It is missing.';
      this.#found(id, MANIFEST, message, false, { kind: 'manifest' });
      return null;
    }
  }

  #receipts(id: string, folder: string): void {
    const file = this.#files.openForReading(join(folder, RECEIPTS));
    const content = Buffer.alloc(file.size);
    file.readNow(content, 0);
    file.close();
    this.#count(content.length);
    const { isDamaged, isTorn } = readReceipts(content);
    const message =
      'It is damaged: what was stored with lost receipts is stored again when it is sent again.';
    if (isDamaged) this.#found(id, RECEIPTS, message, false, { kind: 'receipts' });
    else if (isTorn)
      this.#found(id, RECEIPTS, 'It ends in the middle of a write: a crash left it so.', false, {
        kind: 'stale',
      });
  }

  #segment(id: string, folder: string, meta: SegmentMeta): void {
    const path = segmentPath(folder, meta.id);
    const name = `${meta.id}.seg`;
    const open = this.#open(path);
    if (open !== null) {
      this.#count(open.file.size);
      this.#blocks(id, name, meta.id, open);
      open.file.close();
      return;
    }
    const file = this.#files.openForReading(path);
    const { rows } = scanSegment(file).table;
    this.#count(file.size);
    file.close();
    this.records += rows;
    const message = `Its index is damaged; ${meta.rows - rows} of ${meta.rows} records are lost.`;
    this.#found(id, name, message, rows < meta.rows, { kind: 'index', segment: meta.id });
  }

  /** Null when trailer or index are damaged. */
  #open(path: string): OpenSegment | null {
    try {
      return openSegment(this.#files, path);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'damaged') return null;
      throw error;
    }
  }

  #blocks(id: string, name: string, segment: number, open: OpenSegment): void {
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
        this.#found(id, name, message, true, { kind: 'block', segment, block });
      }
    }
    this.records += found.rows;
    if (found.count < table.count) return;
    if (!isSorted(found)) {
      this.#found(id, name, 'Its blocks are not in order.', false, { kind: 'index', segment });
    } else if (!table.equals(found) || !this.#summariesMatch(open, keys)) {
      const message = 'What its index says of its blocks is damaged; they say it themselves.';
      this.#found(id, name, message, false, { kind: 'index', segment });
    }
  }

  #summariesMatch(open: OpenSegment, keys: KeyTables): boolean {
    return (
      open.keys.size === keys.byKey.size &&
      [...open.keys.values()].every((entry) => {
        const read = readKeyTable(open, entry);
        const found = keys.byKey.get(entry.key);
        if (read === null || found === undefined) return false;
        return read.equals(found) && entry.cells === found.cells && entry.numeric === found.numeric;
      })
    );
  }

  #found(device: string, file: string, message: string, loses: boolean, fault: Fault): void {
    this.findings.push({ device, file: join(device, file), message, loses, fault });
  }

  #count(bytes: number): void {
    this.fileCount++;
    this.bytes += bytes;
  }
}

function isSorted(table: BlockTable): boolean {
  for (let block = 1; block < table.count; block++)
    if (table.firstOf(block) < table.lastOf(block - 1)) return false;
  return true;
}
