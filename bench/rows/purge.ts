import { rounds, sampleOf, timed } from '../lib/measure.ts';
import { bytesOnDisk } from '../lib/fixture.ts';
import { atMost, short, type Figure, type Row } from '../lib/row.ts';
import { openRawDisk } from '../peers/raw-disk.ts';

export const purge: Row = {
  name: 'purge',
  title: 'Purge',
  async run(bench): Promise<Figure[]> {
    const left: number[] = [];
    const keeping: number[] = [];
    const restoring: number[] = [];
    const measured = await rounds(3, async () => {
      const { data, device } = await bench.copyOfFilled(bench.records);
      const before = await bytesOnDisk(data);
      const store = await bench.openStore(data);
      await store.page(device, { offset: 0, limit: 1 });
      const at = Date.now() * 1000;
      keeping.push(await timed(() => store.keep(device, 'kept', { at })));
      restoring.push(await timed(() => store.restore(device, 'kept')));
      if ((await store.count(device)) !== bench.records) throw new Error('Not all records are back.');
      const ms = await timed(() => store.purge(device, at));
      await store.close();
      left.push((await bytesOnDisk(data)) / before);
      return ms;
    });
    const raw = openRawDisk(await bench.madeFolder(), 4096);
    const sync = await rounds(50, () => timed(() => raw.write()));
    raw.close();
    bench.note(
      `After a purge and a close ${(sampleOf(left).median * 100).toFixed(1)} % of the bytes are left on the disk.`,
    );
    return [
      {
        figure: `purge of ${short(bench.records)}`,
        measured,
        unit: 'ms',
        must: atMost(measured.median - sync.median, 5, '≤ 5 ms + one fsync'),
        peer: { name: 'one fdatasync', measured: sync },
      },
      {
        figure: `purge of ${short(bench.records)} that can be undone`,
        measured: sampleOf(keeping),
        unit: 'ms',
        must: atMost(sampleOf(keeping).median, 20, '≤ 20 ms'),
        peer: { name: 'one fdatasync', measured: sync },
      },
      {
        figure: `undo of it`,
        measured: sampleOf(restoring),
        unit: 'ms',
        must: atMost(sampleOf(restoring).median, 20, '≤ 20 ms'),
        peer: { name: 'one fdatasync', measured: sync },
      },
    ];
  },
};
