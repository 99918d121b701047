import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/*
 * Real recordings, as their authors published them, live beside the project and are never part of it; look-alikes with
 * the same quirks are made here, so that every quirk is tested everywhere.
 */

const folder = resolve(
  process.env['FIELDBENCH_RECORDINGS'] ?? join(import.meta.dirname, '../../../../shared/data'),
);

/** Where the real recordings are; null where there are none. */
export const recordings: string | null = existsSync(folder) ? folder : null;

export interface Recording {
  readonly file: string;
  readonly rows: number;
  /** The column of times, the columns of values, and how many fields stand before the time. */
  readonly time: string;
  readonly keys: readonly string[];
  readonly rowNumbers: boolean;
}

const OFFICE = ['Temperature', 'Humidity', 'Light', 'CO2', 'HumidityRatio', 'Occupancy'];

export const RECORDINGS: readonly Recording[] = [
  { file: 'occupancy-training.csv', rows: 8_143, time: 'date', keys: OFFICE, rowNumbers: true },
  { file: 'occupancy-test.csv', rows: 2_665, time: 'date', keys: OFFICE, rowNumbers: true },
  { file: 'machine-temperature.csv', rows: 22_695, time: 'timestamp', keys: ['value'], rowNumbers: false },
  { file: 'ambient-temperature.csv', rows: 7_267, time: 'timestamp', keys: ['value'], rowNumbers: false },
  { file: 'traffic-speed.csv', rows: 1_127, time: 'timestamp', keys: ['value'], rowNumbers: false },
];

/** A recording that looks like the one of the same file: the same columns and quirks, other values, fewer rows. */
export function lookAlike({ rowNumbers, keys, time }: Recording, rows = 500): string {
  const random = numbers(rows);
  let wall = Date.UTC(2015, 1, 4, 17, 51);
  const lines = Array.from({ length: rows }, (_, row) => {
    const values = keys.map(() => String(20 + Math.round(random() * 1e8) / 1e7));
    const text = wallText(wall);
    // One step back of an hour, then times that were written before: a clock change.
    wall += row === Math.floor(rows / 2) ? -55 * 60_000 : 60_000 - (row % 2) * 1_000;
    return (rowNumbers ? [`"${row + 140}"`, `"${text}"`, ...values] : [text, ...values]).join();
  });
  const header = [time, ...keys].map((name) => (rowNumbers ? `"${name}"` : name)).join();
  // The last line of some recordings has no line break.
  return [header, ...lines].join('\n') + (rowNumbers ? '\n' : '');
}

/** Milliseconds as a clock on the wall shows them: `2015-02-04 17:51:00`. */
function wallText(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
