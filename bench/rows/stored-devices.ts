import { deleting, listing, openService } from '../lib/device-service.ts';
import { inTurn, sampleOf } from '../lib/measure.ts';
import { atMost, short, type Figure, type Row } from '../lib/row.ts';
import type { Usage } from '../lib/usage.ts';

const DEVICES = 10_000;
const AT_ONCE = 100;
const ROUNDS = 5;
const DELETES = 3;

/** What it costs that many devices have stored, a record each, with their tokens in the file vault. */
export const storedDevices: Row = {
  name: 'stored-devices',
  title: `A service with ${short(DEVICES)} devices that have stored a record each`,
  async run(bench): Promise<Figure[]> {
    const [empty, full] = [await bench.madeFolder(), await bench.madeFolder()];
    const { child } = await open(empty);
    await child.stop();
    const project = await fill(full);
    const used = { empty: [] as Usage[], full: [] as Usage[] };
    const start = (directory: string, usages: Usage[]) => async () => {
      const opened = await open(directory);
      usages.push(await opened.child.ask<Usage>({ usage: true }));
      await opened.child.stop();
      return opened.started.startMs;
    };
    const [without, starting] = await inTurn(ROUNDS, [start(empty, used.empty), start(full, used.full)]);
    const listed = await open(full);
    const list = await listing(listed, project);
    await listed.child.stop();
    const deletes = await deleting(bench, { directory: full, vault: 'file' }, project, DELETES);
    const memoryOf = (usages: readonly Usage[]) => sampleOf(usages.map(({ rss }) => rss / 1e6));
    const [memory, memoryWithout] = [memoryOf(used.full), memoryOf(used.empty)];
    const cpuOf = (usages: readonly Usage[]) => sampleOf(usages.map(({ cpuSeconds }) => cpuSeconds * 1000));
    const name = `${short(DEVICES)} devices that have stored`;
    const peer = 'an empty one';
    const later = (starting?.median ?? NaN) - (without?.median ?? NaN);
    return [
      {
        figure: `Start, ${name}`,
        measured: starting ?? sampleOf([]),
        unit: 'ms',
        must: atMost(later, 100, '≤ an empty one + 100 ms'),
        peer: { name: peer, measured: without ?? sampleOf([]) },
      },
      {
        figure: `Processor time of a start, ${name}`,
        measured: cpuOf(used.full),
        unit: 'ms',
        peer: { name: peer, measured: cpuOf(used.empty) },
      },
      {
        figure: `Memory, ${name}`,
        measured: memory,
        unit: 'MB',
        must: atMost(memory.median - memoryWithout.median, 80, '≤ an empty one + 80 MB'),
        peer: { name: peer, measured: memoryWithout },
      },
      {
        figure: `List of all ${name}`,
        measured: list,
        unit: 'ms',
        must: atMost(list.median, 40, '≤ 40 ms'),
      },
      {
        figure: `Delete of a project, ${name}`,
        measured: deletes,
        unit: 'ms',
        must: atMost(deletes.median, 500, '≤ 500 ms'),
      },
    ];
  },
};

const open = (directory: string) => openService({ directory, vault: 'file' });

/** Makes a project of devices, each of which stores a record; resolves with its id. */
async function fill(directory: string): Promise<string> {
  const { child, ask } = await open(directory);
  const { id: project } = await ask('POST', '/_local/v1/projects', { name: 'Many' });
  let made = 0;
  const makeOne = async () => {
    const device = { name: `Device ${++made}`, source: 'http', tags: ['field'] };
    const { metadata } = await ask('POST', `/v2/projects/${project}/devices`, device);
    await ask('POST', '/integrations/http', { temperature: 20, state: 'on' }, metadata.device_token);
  };
  for (let left = DEVICES; left > 0; left -= AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, makeOne));
  await child.stop();
  return project;
}
