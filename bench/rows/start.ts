import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { builtCli } from '../lib/built.ts';
import { inTurn, rounds, timed, type Sample } from '../lib/measure.ts';
import { startChild } from '../lib/process.ts';
import { atMost, short, timesLess, type Bench, type Figure, type Row } from '../lib/row.ts';

const ROUNDS = 5;
/** Of starts of programs. */
const STARTS = 9;
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
      ...(await startsOfPrograms(bench)),
    ];
  },
};

/** Of the built command line, until its ready file is there. */
async function startsOfPrograms(bench: Bench): Promise<Figure[]> {
  const [node, memory, folder] = (await inTurn(STARTS, [
    () => timed(() => once(run(['-e', '0']), 'exit')),
    () => readyAfter(bench, ['--in-memory']),
    async () => readyAfter(bench, ['--data', await bench.folder(), '--vault', 'memory']),
  ])) as [Sample, Sample, Sample];
  const figure = (where: string, measured: Sample): Figure => ({
    figure: `start to ready file, empty, ${where}`,
    measured,
    unit: 'ms',
    peer: { name: 'node -e 0', measured: node },
    ratio: timesLess(measured, node),
    must: atMost(measured.median / node.median, 12, '≤ 12 × node -e 0'),
  });
  return [figure('in memory', memory), figure('in a new folder', folder)];
}

async function readyAfter(bench: Bench, flags: readonly string[]): Promise<number> {
  const readyFile = join(await bench.madeFolder(), 'ready.json');
  const ports = ['--port', '0', '--http-port', '0', '--mqtt-port', '0'];
  const began = performance.now();
  const service = run([builtCli(), 'serve', ...flags, ...ports, '--ready-file', readyFile]);
  const exited = once(service, 'exit');
  while (!existsSync(readyFile)) {
    if (service.exitCode !== null) throw new Error(`The service ended with ${service.exitCode}.`);
    await delay(1);
  }
  const ms = performance.now() - began;
  service.kill('SIGTERM');
  await exited;
  return ms;
}

/** As it is started on a machine where Node keeps nothing that it has compiled. */
function run(args: readonly string[]) {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  return spawn(process.execPath, [...args], { env, stdio: 'ignore' });
}
