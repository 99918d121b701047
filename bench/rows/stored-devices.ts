import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Started } from '../children/service.ts';
import { inTurn, rounds, sampleOf, timed } from '../lib/measure.ts';
import { startChild, type Child } from '../lib/process.ts';
import { atMost, short, type Bench, type Figure, type Row } from '../lib/row.ts';
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
      await listing(full, project, name),
      await deleting(bench, full, project, name),
    ];
  },
};

async function listing(directory: string, project: string, name: string): Promise<Figure> {
  const { child, ask } = await open(directory);
  const measured = await rounds(15, () => timed(() => ask('GET', `/v2/projects/${project}/devices`)));
  await child.stop();
  const must = atMost(measured.median, 40, '≤ 40 ms');
  return { figure: `List of all ${name}`, measured, unit: 'ms', must };
}

async function deleting(bench: Bench, full: string, project: string, name: string): Promise<Figure> {
  const measured = await rounds(DELETES, async () => {
    const copy = join(await bench.madeFolder(), 'copy');
    await cp(full, copy, { recursive: true });
    const { child, ask } = await open(copy);
    const took = await timed(() => ask('DELETE', `/v2/projects/${project}`));
    await child.stop();
    return took;
  });
  const must = atMost(measured.median, 500, '≤ 500 ms');
  return { figure: `Delete of a project, ${name}`, measured, unit: 'ms', must };
}

interface Answer {
  readonly id: string;
  readonly metadata: { readonly device_token: string };
}
type Ask = (method: string, path: string, body?: object, token?: string) => Promise<Answer>;

async function open(
  directory: string,
): Promise<{ readonly child: Child; readonly started: Started; readonly ask: Ask }> {
  const child = startChild('service', ['--expose-gc']);
  const started = await child.ask<Started>({ start: { directory, vault: 'file' } });
  const ask: Ask = async (method, path, body, token = started.key) => {
    const response = await fetch(`${started.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { success, message, data } = (await response.json()) as {
      success: boolean;
      message: string;
      data: Answer;
    };
    if (!success) throw new Error(`${method} ${path}: ${message}`);
    return data;
  };
  return { child, started, ask };
}

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
