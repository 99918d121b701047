import { rounds, sampleOf, timed } from '../lib/measure.ts';
import { bytesOnDisk } from '../lib/fixture.ts';
import { atMost, short, type Figure, type Row } from '../lib/row.ts';
import { openRawDisk } from '../peers/raw-disk.ts';

export const purge: Row = {
  name: 'purge',
  title: 'Purge',
  async run(bench): Promise<Figure[]> {
    const kept: number[] = [];
    const measured = await rounds(3, async () => {
      const { data, device } = await bench.copyOfFilled(bench.records);
      const before = await bytesOnDisk(data);
      const store = await bench.openStore(data);
      await store.page(device, { offset: 0, limit: 1 });
      const ms = await timed(() => store.purge(device, Date.now() * 1000));
      await store.close();
      kept.push((await bytesOnDisk(data)) / before);
      return ms;
    });
    const raw = openRawDisk(await bench.madeFolder(), 4096);
    const sync = await rounds(50, () => timed(() => raw.write()));
    raw.close();
    bench.note(
      `After a purge and a close ${(sampleOf(kept).median * 100).toFixed(1)} % of the bytes are left on the disk.`,
    );
    return [
      {
        figure: `purge of ${short(bench.records)}`,
        measured,
        unit: 'ms',
        must: atMost(measured.median - sync.median, 5, '≤ 5 ms + one fsync'),
        peer: { name: 'one fdatasync', measured: sync },
      },
    ];
  },
};
