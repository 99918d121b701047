import { randomUUID } from 'node:crypto';
import { openEncryptedFile, type FileVault } from '../../electron/core/vault/encrypted-file.ts';
import { createDeviceToken } from '../../electron/core/vault/secrets.ts';
import { inTurn, timed } from '../lib/measure.ts';
import { atMost, short, timesMore, type Figure, type Row } from '../lib/row.ts';
import { openRawDisk } from '../peers/raw-disk.ts';
import { systemRandom } from '../../electron/core/base/system-random.ts';

const DEVICES = 10_000;
const ROUNDS = 101;
const STARTS = 11;
const log = { warn: (message: string) => console.warn(message) };

const keep = (vault: FileVault) =>
  vault.set(
    { kind: 'device-token', project_id: 'p', device_id: randomUUID() },
    createDeviceToken(systemRandom),
  );

/** The vault in files, with the tokens of many devices and with none. Its key lies beside it: scrypt takes what it takes. */
export const vault: Row = {
  name: 'vault',
  title: 'Device tokens in the file vault',

  async run(bench): Promise<Figure[]> {
    const open = (directory: string) => openEncryptedFile({ directory, passphrase: null, log });
    const [few, many] = [await bench.madeFolder(), await bench.madeFolder()];
    const empty = await open(few);
    const full = await open(many);
    const filling = await timed(() => Promise.all(Array.from({ length: DEVICES }, () => keep(full))));
    const raw = openRawDisk(await bench.madeFolder(), 4096);
    const [first, last, sync] = await inTurn(ROUNDS, [
      () => timed(() => keep(empty)),
      () => timed(() => keep(full)),
      () => timed(() => raw.write()),
    ]);
    raw.close();
    await Promise.all([empty.close(), full.close()]);
    const start = async (directory: string) => {
      let opened: FileVault | null = null;
      const ms = await timed(async () => (opened = await open(directory)));
      await (opened as FileVault | null)?.close();
      return ms;
    };
    const nobody = await bench.madeFolder();
    const [without, withAll] = await inTurn(STARTS, [() => start(nobody), () => start(many)]);
    if (!first || !last || !sync || !without || !withAll) throw new Error('Nothing was measured.');
    bench.note(`${short(DEVICES)} device tokens kept at once take ${filling.toFixed(0)} ms.`);
    const times = timesMore(last, first);
    return [
      {
        figure: `one more device token where there are ${short(DEVICES)}, against the first`,
        measured: last,
        unit: 'ms',
        must: atMost(times, 1.5, '≤ 1.5 ×'),
        peer: { name: 'the first ones', measured: first },
        ratio: 1 / times,
      },
      {
        figure: `the same, against one fdatasync of 4 KiB`,
        measured: last,
        unit: 'ms',
        peer: { name: 'one fdatasync', measured: sync },
        ratio: 1 / timesMore(last, sync),
      },
      {
        figure: `opening it with ${short(DEVICES)} device tokens`,
        measured: withAll,
        unit: 'ms',
        must: atMost(withAll.median - without.median, 50, '≤ 50 ms above an empty one'),
        peer: { name: 'an empty one', measured: without },
      },
    ];
  },
};
