import { badRequest } from '../../base/errors.ts';

/** How to make text of what spreadsheets save. */
const SAVE_AS_CSV = 'Save it as CSV UTF-8 there (File, Save As), and import that.';
const UNPACK = 'Unpack it first, and import what is in it.';

const bytes = (...codes: number[]) => Buffer.from(codes);
const ascii = (text: string) => Buffer.from(text, 'latin1');

/** First bytes of what people take for a recording. Sources: the formats' own descriptions; file(1). */
const SIGNATURES: readonly (readonly [beginning: Buffer, what: string])[] = [
  [bytes(0xd0, 0xcf, 0x11, 0xe0), `an old Excel workbook or another Office document. ${SAVE_AS_CSV}`],
  [ascii('%PDF-'), 'a PDF document. Ask for the data themselves, as CSV.'],
  [ascii('{\\rtf'), 'a rich text document. Save it as plain text in UTF-8.'],
  [bytes(0x1f, 0x8b), `packed with gzip. ${UNPACK}`],
  [ascii('BZh'), `packed with bzip2. ${UNPACK}`],
  [bytes(0xfd, 0x37, 0x7a, 0x58, 0x5a), `packed with xz. ${UNPACK}`],
  [bytes(0x28, 0xb5, 0x2f, 0xfd), `packed with zstd. ${UNPACK}`],
  [bytes(0x37, 0x7a, 0xbc, 0xaf), `a 7-Zip archive. ${UNPACK}`],
  [ascii('Rar!'), `a RAR archive. ${UNPACK}`],
  [ascii('PAR1'), 'a Parquet file. Write it as CSV or NDJSON first.'],
  [ascii('ARROW1'), 'an Arrow file. Write it as CSV or NDJSON first.'],
  [ascii('SQLite format 3'), 'an SQLite database. Export a table of it as CSV first.'],
  [ascii('\u0089HDF'), 'an HDF5 file. Write the recording as CSV first.'],
  [ascii('MATLAB 5.0'), 'a MATLAB file. Write the recording as CSV first (writetable).'],
  [ascii('MDF     '), 'an MDF measurement file. Export it as CSV first.'],
  [ascii('TDSm'), 'a TDMS measurement file. Export it as CSV first.'],
  [ascii('\u0089PNG'), 'a picture (PNG).'],
  [bytes(0xff, 0xd8, 0xff), 'a picture (JPEG).'],
];

const MARKUP = /^\s*<(?:!doctype\s+html|html|\?xml|svg)\b/i;

/** What a file is by its first bytes, when that is no text of records; null where nothing speaks against it. */
function kindOf(head: Buffer): string | null {
  const known = SIGNATURES.find(([beginning]) => head.subarray(0, beginning.length).equals(beginning));
  if (known) return known[1];
  if (head.subarray(0, 4).equals(ascii('PK\u0003\u0004'))) return kindOfZip(head);
  if (MARKUP.test(head.toString('utf8', 0, 200)))
    return 'a web page or an XML document. Ask for the data themselves, as CSV.';
  return null;
}

/** Office documents are zip archives; the names of what is in them tell which. */
function kindOfZip(head: Buffer): string {
  const names = head.toString('latin1');
  if (names.includes('xl/') || names.includes('[Content_Types].xml'))
    return names.includes('word/') ? 'a Word document.' : `an Excel workbook. ${SAVE_AS_CSV}`;
  if (names.includes('opendocument')) return `an OpenDocument file. ${SAVE_AS_CSV}`;
  return `a zip archive. ${UNPACK}`;
}

/** Throws a 400 Refusal that says what the file is, where its first bytes are not those of text. */
export function requireText(head: Uint8Array): void {
  const kind = kindOf(Buffer.from(head.buffer, head.byteOffset, head.byteLength));
  if (kind !== null) throw badRequest(`The file must be CSV or NDJSON, and it is ${kind}`);
}
