import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { lookAlike, recordings, type Recording } from '../helpers/files/recordings.ts';

/** A row of a recording as its file has it. */
export interface FileRow {
  /** As the clock on the wall showed it: `2015-02-04 17:51:00`. */
  readonly wall: string;
  readonly values: Readonly<Record<string, number>>;
}

/** The recording itself, or in `folder` one that looks like it where the recordings are not. */
export async function fileOf(recording: Recording, folder: string): Promise<string> {
  const real = recordings === null ? null : join(recordings, recording.file);
  if (real !== null && existsSync(real)) return real;
  const file = join(folder, recording.file);
  await writeFile(file, lookAlike(recording));
  return file;
}

/** The rows of a recording in the file's order. They hold no delimiter inside quotes. */
export function rowsOf({ keys, rowNumbers }: Recording, file: string): FileRow[] {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const fields = line.split(',').map((field) => field.replaceAll('"', '').trim());
    const [wall = '', ...values] = rowNumbers ? fields.slice(1) : fields;
    return { wall, values: Object.fromEntries(keys.map((key, index) => [key, Number(values[index])])) };
  });
}

const QUARTER_HOUR_MS = 900_000;
const MOST_QUARTERS = 14 * 4;

/** The instant at which clocks of a zone showed this, found by trying every offset; none may do so twice. */
export function instantOf(wall: string, zone: string): string {
  // Swedes write dates as recordings do.
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const asUtc = Date.parse(`${wall.replace(' ', 'T')}Z`);
  const found = Array.from({ length: 2 * MOST_QUARTERS + 1 }, (_, index) => index - MOST_QUARTERS)
    .map((quarters) => asUtc - quarters * QUARTER_HOUR_MS)
    .filter((instant) => clock.format(instant) === wall);
  const [instant] = found;
  if (instant === undefined || found.length > 1)
    throw new Error(`${wall} was ${found.length} times in ${zone}.`);
  return new Date(instant).toISOString().replace('Z', '000Z');
}

/** Drags a file from outside into the middle of the window and lets it go. */
export async function dropFile(page: Page, file: string): Promise<void> {
  await dropFiles(page, [file]);
}

/** The same with several files at once, or into the middle of something. */
export async function dropFiles(page: Page, files: readonly string[], on?: Locator): Promise<void> {
  // What takes them comes a moment after the start; an input right in the body is that of a picker, and takes none.
  await page.locator('body > * input[type=file]').first().waitFor({ state: 'attached' });
  const window = await page.evaluate(() => ({ x: 0, y: 0, width: innerWidth, height: innerHeight }));
  const { x, y, width, height } = (await on?.boundingBox()) ?? window;
  const devtools = await page.context().newCDPSession(page);
  const place = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, ...place, data });
  await devtools.detach();
}
