import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';

/** The command-line program of SQLite, which imports and exports CSV. */
export interface SqliteShell {
  readonly version: string;
  /** Imports a file of a time and four numbers into a new database, which takes the place of one there. */
  importCsv(file: string, database: string): Promise<void>;
  /** Writes that table as CSV; resolves with its bytes. */
  exportCsv(database: string): Promise<number>;
}

/** Null where it is not installed. */
export async function openSqliteShell(): Promise<SqliteShell | null> {
  try {
    const version = (await run(['--version'])).text.split(' ', 1)[0] ?? '';
    return { version, importCsv, exportCsv };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function importCsv(file: string, database: string): Promise<void> {
  await rm(database, { force: true });
  await run([
    database,
    '.mode csv',
    'create table t(time text, a real, b real, c real, d real)',
    `.import --skip 1 "${file}" t`,
  ]);
}

async function exportCsv(database: string): Promise<number> {
  return (await run(['-csv', '-header', database, 'select * from t'])).bytes;
}

const KEPT = 4096;

async function run(given: readonly string[]): Promise<{ readonly text: string; readonly bytes: number }> {
  const child = spawn('sqlite3', given, { stdio: ['ignore', 'pipe', 'inherit'] });
  let [bytes, text] = [0, ''];
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (text.length < KEPT) text += piece.toString('latin1', 0, KEPT);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`sqlite3 ended with ${code}.`);
  return { text, bytes };
}
