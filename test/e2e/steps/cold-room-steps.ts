import { execFileSync, spawnSync } from 'node:child_process';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/* A cold room that was measured by two probes, one after the other: what their loggers stored of it, and what was so. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const STEP = 10 * MINUTE;
/** Real times, in ms. */
const BEGIN = Date.UTC(2026, 9, 24);
/** Summer time ended; the logger of the old probe did not hear of it. */
const WINTER = Date.UTC(2026, 9, 25, 1);
const REPLACED = Date.UTC(2026, 10, 10, 6);
const END = Date.UTC(2026, 10, 14);
/** A warm night, and an afternoon with the door open. */
const WARM = { from: Date.UTC(2026, 10, 3, 1), to: Date.UTC(2026, 10, 3, 3) };
const DOOR = { from: Date.UTC(2026, 10, 12, 13), to: Date.UTC(2026, 10, 12, 15) };
/** By how much the old probe read low. */
const LOW = 0.4;

export const OLD_PROBE = 'Cold room 3';
export const NEW_PROBE = 'Cold room 3 new probe';

const isIn = (at: number, { from, to }: { readonly from: number; readonly to: number }) =>
  at >= from && at < to;

function truth(at: number): number {
  if (isIn(at, WARM)) return 8.2;
  if (isIn(at, DOOR)) return 12;
  return 5 + Math.round(10 * Math.sin(at / (3 * HOUR))) / 10;
}

const times = (from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / STEP) + 1 }, (_, n) => from + n * STEP);
const rowOf = (at: number, value: number) => `${new Date(at).toISOString()},${value.toFixed(1)}`;

const OLD = times(BEGIN, REPLACED).map((at) => rowOf(at >= WINTER ? at + HOUR : at, truth(at) - LOW));
const NEW = times(REPLACED + STEP, END).map((at) => rowOf(at, truth(at)));
export const OLD_RECORDS = OLD.length;
export const ALL_RECORDS = OLD.length + NEW.length;

/** Writes the files of both loggers. */
export async function coldRoomFiles(folder: string): Promise<readonly string[]> {
  const files = [
    [join(folder, `${OLD_PROBE}.csv`), OLD],
    [join(folder, `${NEW_PROBE}.csv`), NEW],
  ] as const;
  for (const [path, rows] of files) await writeFile(path, ['time,air', ...rows, ''].join('\n'));
  return files.map(([path]) => path);
}

/** Unpacks a package as somebody would who has no Fieldbench. */
export async function unpacked(file: string, folder: string): Promise<string> {
  const where = join(folder, 'unpacked');
  await mkdir(where);
  execFileSync('unzip', ['-q', file, '-d', where]);
  return where;
}

/** What the lines of HOW-TO-CHECK.txt say there, one after the other. */
export async function checked(where: string): Promise<readonly string[]> {
  const text = await readFile(join(where, 'HOW-TO-CHECK.txt'), 'utf8');
  const commands = text.split('\n').filter((line) => /^ {2}(?:openssl|sed|find) /.test(line));
  return commands.map((line) => {
    const { stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: where, encoding: 'utf8' });
    return `${stdout}${stderr}`.trim();
  });
}

/** Somebody puts a line of their own behind the records of the first device. */
export const meddle = (where: string) =>
  appendFile(
    join(where, 'devices', '1-Cold-room-3', 'records-raw.csv'),
    '"2026-11-10T08:00:00.000000Z",5.0\r\n',
  );
