import type { ExportPiece } from '../export-options.ts';
import { SheetNames } from './sheet-names.ts';
import { SheetSplitter } from './sheet-splitter.ts';
import { tableSheet, type Table } from './table-sheet.ts';
import {
  CONTENT_TYPES,
  PACKAGE_RELATIONS,
  sheetPart,
  STYLE_SHEET,
  workbookPart,
  workbookRelations,
} from './workbook-parts.ts';
import { ZipWriter } from './zip-writer.ts';

type Pieces = AsyncGenerator<ExportPiece, void, undefined>;

/** The worksheets of a device, as `exportRecords` writes them. */
export interface DeviceSheets {
  readonly name: string;
  readonly pieces: Pieces;
}

export interface Workbook {
  readonly devices: readonly DeviceSheets[];
  /** Behind the devices. */
  readonly tables: readonly Table[];
}

/** Bytes that go on at once. */
const PIECE_BYTES = 64 * 1024;
/** Sheets repeat themselves: more costs a lot and saves little. */
const LEVEL = 2;

/**
 * Writes a workbook (.xlsx), sheet by sheet, the same bytes of the same sheets in whatever pieces they come: no more of it is in memory than what is on its way. The devices' pieces are read one
 * after another, the first one before any byte comes, so that what is refused can be answered instead; a piece that has a buffer of its own is
 * empty afterwards. Rejects as they do; whoever leaves early ends them.
 */
export async function* writeWorkbook({ devices, tables }: Workbook): Pieces {
  let read = 0;
  try {
    const [first, ...others] = devices;
    const ready = first === undefined ? [] : [{ ...first, pieces: await begun(first.pieces) }, ...others];
    const members = membersOf({ devices: ready, tables }, (records) => (read += records));
    for await (const bytes of inPieces(members)) {
      yield { bytes, length: read };
      read = 0;
    }
  } finally {
    for (const { pieces } of devices) await pieces.return();
  }
}

async function* membersOf(
  { devices, tables }: Workbook,
  onRead: (records: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const zip = new ZipWriter(LEVEL);
  const names = new SheetNames();
  const sheets: string[] = [];
  const nextPart = (name: string) => `xl/${sheetPart(sheets.push(names.take(name)))}`;
  yield* zip.whole('[Content_Types].xml', CONTENT_TYPES);
  yield* zip.whole('_rels/.rels', PACKAGE_RELATIONS);
  yield* zip.whole('xl/styles.xml', STYLE_SHEET);
  for (const { name, pieces } of devices) {
    const device = new SheetSplitter(pieces, onRead);
    while (device.hasMore) yield* zip.streamed(nextPart(name), device.sheet());
  }
  for (const table of tables) yield* zip.whole(nextPart(table.name), tableSheet(table));
  yield* zip.whole('xl/workbook.xml', workbookPart(sheets));
  yield* zip.whole('xl/_rels/workbook.xml.rels', workbookRelations(sheets.length));
  yield* zip.end();
}

/** Resolves with the same pieces, once the first one is there. */
async function begun(pieces: Pieces): Promise<Pieces> {
  const first = await pieces.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* pieces;
  })();
}

/** Whether a chunk is a piece as it is. */
const isLarge = (chunk: Buffer): chunk is Buffer<ArrayBuffer> =>
  chunk.length >= PIECE_BYTES &&
  chunk.length === chunk.buffer.byteLength &&
  chunk.buffer instanceof ArrayBuffer;

/** Larger pieces, in buffers of their own. */
async function* inPieces(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer<ArrayBuffer>, void, undefined> {
  let held: Buffer[] = [];
  let length = 0;
  const taken = () => {
    const piece = Buffer.allocUnsafeSlow(length);
    let at = 0;
    for (const one of held) at += one.copy(piece, at);
    [held, length] = [[], 0];
    return piece;
  };
  for await (const chunk of chunks) {
    if (isLarge(chunk)) {
      if (length > 0) yield taken();
      yield chunk;
      continue;
    }
    held.push(chunk);
    length += chunk.length;
    if (length >= PIECE_BYTES) yield taken();
  }
  if (length > 0) yield taken();
}
