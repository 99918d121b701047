import type { Started } from '../../children/service.ts';
import { verifyPackage } from '../../../electron/core/handover/verify/verify-package.ts';
import { rounds, timed } from '../../lib/measure.ts';
import { startChild } from '../../lib/process.ts';
import { atMost, short, type Figure, type Row } from '../../lib/row.ts';

const ROUNDS = 3;
const MB = 1e6;

/** One device of a million records with a calibration, so that both views are in the package. */
export const handover: Row = {
  name: 'handover',
  title: 'A signed package of a device, and what checks it',
  async run(bench): Promise<Figure[]> {
    const records = Math.min(bench.records, 1_000_000);
    const { directory } = await bench.copyOfFilled(records);
    const child = startChild('service', ['--expose-gc']);
    let file = Buffer.alloc(0);
    const figures: Figure[] = [];
    try {
      const { url, key } = await child.ask<Started>({ start: { directory } });
      const ask = async (method: string, path: string, body?: object): Promise<Response> => {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
        if (!response.ok) throw new Error(await response.text());
        return response;
      };
      const first = async (path: string) => {
        const { data } = (await (await ask('GET', path)).json()) as { data: readonly { id: string }[] };
        return data[0]?.id ?? '';
      };
      const project = await first('/v2/projects');
      const device = await first(`/v2/projects/${project}/devices`);
      const { data } = (await (
        await ask('GET', `/_local/v1/projects/${project}/devices/${device}/statistics`)
      ).json()) as { data: readonly { key: string }[] };
      await ask('POST', `/_local/v1/projects/${project}/devices/${device}/corrections`, {
        kind: 'calibration',
        key: data[0]?.key,
        points: [[0, 0.4]],
      });
      for (const format of ['csv', 'parquet']) {
        const measured = await rounds(ROUNDS, () =>
          timed(async () => {
            const response = await ask('POST', '/_local/v1/handover', { devices: [device], format });
            file = Buffer.from(await response.arrayBuffer());
          }),
        );
        figures.push({
          figure: `package of ${short(records)} records, raw and corrected, as ${format} (${(file.length / MB).toFixed(1)} MB)`,
          measured,
          unit: 'ms',
          ...(format === 'csv' && { must: atMost(measured.median, 3000, '≤ 3 s') }),
        });
        figures.push({
          figure: `the same verified`,
          measured: await rounds(ROUNDS, () => timed(() => verified(file))),
          unit: 'ms',
        });
      }
    } finally {
      await child.stop();
    }
    return figures;
  },
};

async function verified(file: Buffer): Promise<void> {
  const read = async (into: Uint8Array, at: number) =>
    file.copy(into, 0, at, Math.min(file.length, at + into.length));
  const { harmed, findings } = await verifyPackage({ size: file.length, read }, { expected: null });
  if (harmed > 0) throw new Error(findings[0]?.message);
}
