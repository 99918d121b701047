import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sensorSource } from '../lib/data.ts';
import { sampleOf } from '../lib/measure.ts';
import { atMost, timesLess, type Figure, type Row } from '../lib/row.ts';
import { openSqlite } from '../peers/sqlite.ts';

const SQLITE_RECORDS = 200_000;

export const size: Row = {
  name: 'size',
  title: 'Bytes a record',
  async run(bench): Promise<Figure[]> {
    const figures: Figure[] = [];
    const folder = await bench.madeFolder();
    const database = openSqlite(folder, 'wide');
    const next = sensorSource();
    for (let n = 0; n < SQLITE_RECORDS; n += 1000) database.insert(next(1000));
    database.close();
    const sqlite = sampleOf([(await stat(join(folder, 'wide.sqlite'))).size / SQLITE_RECORDS]);
    for (const kind of ['sensor', 'random', 'sparse'] as const) {
      const { data, device } = await bench.filled(bench.records, kind);
      const measured = sampleOf([(await bytesIn(join(data, device))) / bench.records]);
      figures.push({
        figure: `bytes a record, ${kind} data`,
        measured,
        unit: 'bytes',
        ...(kind === 'sensor' && {
          must: atMost(measured.median, 4, '≤ 4.0'),
          peer: { name: 'node:sqlite, wide', measured: sqlite },
          ratio: timesLess(measured, sqlite),
        }),
      });
    }
    return figures;
  },
};

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
