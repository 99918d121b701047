import { mkdir } from 'node:fs/promises';
import { rounds, timed } from '../lib/measure.ts';
import { startChild } from '../lib/process.ts';
import { atMost, short, type Figure, type Row } from '../lib/row.ts';

const ROUNDS = 5;
/** What was stored after the last start and before the kill: it is in the write-ahead log alone. */
const UNSEALED = 50_000;

export const start: Row = {
  name: 'start',
  title: 'Open and first page',
  async run(bench): Promise<Figure[]> {
    const { data, device } = await bench.filled(bench.records);
    const firstPage = async (directory: string) => {
      let close = () => Promise.resolve();
      const ms = await timed(async () => {
        const store = await bench.openStore(directory);
        await store.page(device, { offset: 0, limit: 100 });
        close = () => store.close();
      });
      await close();
      return ms;
    };
    await firstPage(data);
    const clean = await rounds(ROUNDS, () => firstPage(data));

    const killed = await rounds(3, async () => {
      const copy = await bench.copyOfFilled(bench.records);
      const writer = startChild('writer');
      await mkdir(copy.data, { recursive: true });
      await writer.ask({ directory: copy.data, device, records: UNSEALED });
      await writer.kill();
      return firstPage(copy.data);
    });
    const figure = `open and first page, ${short(bench.records)}`;
    return [
      { figure, measured: clean, unit: 'ms', must: atMost(clean.median, 10, '≤ 10 ms') },
      {
        figure: `${figure}, after kill -9`,
        measured: killed,
        unit: 'ms',
        must: atMost(killed.median, 120, '≤ 120 ms'),
      },
    ];
  },
};
