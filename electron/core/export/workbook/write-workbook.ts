import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
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
/** A time that is written as this machine's zone has it, and so the same in each. Sheets repeat themselves: more costs a lot and saves little. */
const ENTRY = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, compressionLevel: 2 } as const;

/**
 * Writes a workbook (.xlsx), sheet by sheet, the same bytes of the same sheets in whatever pieces they come: no more of it is in memory than what is on its way. The devices' pieces are read one
 * after another, the first one before any byte comes, so that what is refused can be answered instead. Rejects as they do; whoever
 * leaves early ends them.
 */
export async function* writeWorkbook({ devices, tables }: Workbook): Pieces {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let current: Readable | null = null;
  let read = 0;
  try {
    const [first, ...others] = devices;
    const ready = first === undefined ? [] : [{ ...first, pieces: await begun(first.pieces) }, ...others];
    const names = new SheetNames();
    const sheets: string[] = [];
    const nextPart = (name: string) => `xl/${sheetPart(sheets.push(names.take(name)))}`;
    const write = async () => {
      addText(zip, '[Content_Types].xml', CONTENT_TYPES);
      addText(zip, '_rels/.rels', PACKAGE_RELATIONS);
      addText(zip, 'xl/styles.xml', STYLE_SHEET);
      for (const { name, pieces } of ready) {
        const device = new SheetSplitter(pieces, (records) => (read += records));
        while (device.hasMore) {
          current = Readable.from(device.sheet(), { objectMode: false });
          zip.addReadStream(current, nextPart(name), ENTRY);
          await finished(current);
        }
      }
      for (const table of tables) addText(zip, nextPart(table.name), tableSheet(table));
      addText(zip, 'xl/workbook.xml', workbookPart(sheets));
      addText(zip, 'xl/_rels/workbook.xml.rels', workbookRelations(sheets.length));
      zip.end();
    };
    write().catch((error: Error) => output.destroy(error));
    for await (const bytes of inPieces(output)) {
      yield { bytes, length: read };
      read = 0;
    }
  } finally {
    (current as Readable | null)?.destroy();
    output.destroy();
    for (const { pieces } of devices) await pieces.return();
  }
}

function addText(zip: ZipFile, name: string, text: string): void {
  zip.addBuffer(Buffer.from(text), name, ENTRY);
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
    held.push(chunk);
    length += chunk.length;
    if (length >= PIECE_BYTES) yield taken();
  }
  if (length > 0) yield taken();
}
