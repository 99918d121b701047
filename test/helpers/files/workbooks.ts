import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const READER = join(import.meta.dirname, 'read-workbook.py');

/** `n` a number (a time is one, with its style), `b` a boolean, `inlineStr` a text, `formula` what no cell may be. */
export type ReadCell = readonly [of: string, type: string, value: string, style: number];

export interface ReadWorkbook {
  readonly members: readonly string[];
  readonly sheets: readonly { readonly name: string; readonly rows: readonly (readonly ReadCell[])[] }[];
}

async function inFile<T>(bytes: Uint8Array, read: (file: string, folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-workbook-'));
  try {
    const file = join(folder, 'book.xlsx');
    await writeFile(file, bytes);
    return await read(file, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves with what Python reads in a workbook. */
export const readWorkbook = (bytes: Uint8Array): Promise<ReadWorkbook> =>
  inFile(bytes, async (file) => {
    const { stdout } = await run('python3', [READER, file], { maxBuffer: 1 << 30 });
    return JSON.parse(stdout) as ReadWorkbook;
  });

/** Resolves with a sheet, counted from 1, as LibreOffice writes it as CSV: times and numbers as they are shown. */
export const openedByLibreOffice = (bytes: Uint8Array, sheet: number): Promise<string> =>
  inFile(bytes, async (file, folder) => {
    // Commas, quotes, UTF-8, from the first line on, cells as shown; a profile of its own.
    const filter = `csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,${sheet}`;
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
    const asked = [profile, '--headless', '--convert-to', filter, '--outdir', folder, file];
    await run('soffice', asked, { env: { ...process.env, HOME: folder } });
    const [written] = (await readdir(folder)).filter((name) => name.endsWith('.csv'));
    if (written === undefined) throw new Error('LibreOffice wrote no CSV.');
    return await readFile(join(folder, written), 'utf8');
  });
