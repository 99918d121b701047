import { deleting, listing, openService } from '../lib/device-service.ts';
import { inTurn, sampleOf, timed } from '../lib/measure.ts';
import { atMost, short, type Figure, type Row } from '../lib/row.ts';
import type { Usage } from '../lib/usage.ts';

const DEVICES = 10_000;
/** Devices whose making is timed, at the beginning and at the end, and those before them that are not. */
const TIMED = 400;
const WARM_UP = 200;
const AT_ONCE = 100;
const DELETES = 3;

/** What it costs that there are many devices, over HTTP; secrets are in memory, since a keychain's cost is its own. */
export const devices: Row = {
  name: 'devices',
  title: `A service with ${short(DEVICES)} devices`,
  async run(bench): Promise<Figure[]> {
    const [empty, full] = [await bench.madeFolder(), await bench.madeFolder()];
    const { first, last, project, list } = await fill(full);
    const usageAt = { empty: [] as number[], full: [] as number[] };
    const start = (directory: string, used: number[]) => async () => {
      const { child, started } = await openService({ directory });
      const { rss } = await child.ask<Usage>({ usage: true });
      used.push(rss / 1e6);
      await child.stop();
      return started.startMs;
    };
    const [without, starting] = await inTurn(3, [start(empty, usageAt.empty), start(full, usageAt.full)]);
    const memory = sampleOf(usageAt.full);
    const deletes = await deleting(bench, { directory: full }, project, DELETES);
    const ratio = last.median / first.median;
    const later = (starting?.median ?? NaN) - (without?.median ?? NaN);
    const more = memory.median - sampleOf(usageAt.empty).median;
    const name = short(DEVICES);
    return [
      {
        figure: `One more device over HTTP, ${name} there`,
        measured: last,
        unit: 'ms',
        must: atMost(ratio, 1.5, '≤ 1.5× the first'),
        peer: { name: 'the first', measured: first },
        ratio: first.median / last.median,
      },
      {
        figure: `Start, ${name} devices`,
        measured: starting ?? sampleOf([]),
        unit: 'ms',
        must: atMost(later, 100, '≤ an empty one + 100 ms'),
        peer: { name: 'an empty one', measured: without ?? sampleOf([]) },
      },
      {
        figure: `Memory, ${name} devices`,
        measured: memory,
        unit: 'MB',
        must: atMost(more, 80, '≤ an empty one + 80 MB'),
        peer: { name: 'an empty one', measured: sampleOf(usageAt.empty) },
      },
      {
        figure: `List of all ${name} devices over HTTP`,
        measured: list,
        unit: 'ms',
        must: atMost(list.median, 40, '≤ 40 ms'),
      },
      {
        figure: `Delete of a project with ${name} devices`,
        measured: deletes,
        unit: 'ms',
        must: atMost(deletes.median, 500, '≤ 500 ms'),
      },
    ];
  },
};

/** Makes a project and its devices, and measures how long it takes, one after the other, at first and at last. */
async function fill(directory: string) {
  const service = await openService({ directory });
  const { child, ask } = service;
  const { id: project } = await ask('POST', '/_local/v1/projects', { name: 'Many' });
  const path = `/v2/projects/${project}/devices`;
  let made = 0;
  const make = () => ask('POST', path, { name: `Device ${++made}`, source: 'http', tags: ['field'] });
  const oneByOne = async () => {
    const times: number[] = [];
    for (let n = 0; n < TIMED; n++) times.push(await timed(make));
    return sampleOf(times);
  };
  for (let n = 0; n < WARM_UP; n++) await make();
  const first = await oneByOne();
  for (let left = DEVICES - made; left > 0; left -= AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, left) }, make));
  const last = await oneByOne();
  const list = await listing(service, project);
  await child.stop();
  return { first, last, list, project };
}
