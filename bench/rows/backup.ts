import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Produced, Production } from '../children/producer.ts';
import type { Started } from '../children/service.ts';
import { rounds, sampleOf, timed } from '../lib/measure.ts';
import { askOnce, startChild } from '../lib/process.ts';
import { atMost, short, timesLess, type Figure, type Row } from '../lib/row.ts';
import type { Usage } from '../lib/usage.ts';

const run = promisify(execFile);
const ROUNDS = 3;
const RECORDS_A_SECOND = 100_000;
const BATCH = 1000;
/** Long enough for a backup in the middle of it. */
const SECONDS = 12;

export const backup: Row = {
  name: 'backup',
  title: 'Backup of everything, beside what arrives, and its restore',
  async run(bench): Promise<Figure[]> {
    const quiet: number[] = [];
    const beside: number[] = [];
    const delays: number[] = [];
    const without: number[] = [];
    const back: number[] = [];
    const records = short(bench.records);
    for (let round = 0; round < ROUNDS; round++) {
      const { directory, token } = await bench.copyOfFilled(bench.records);
      const child = startChild('service', ['--expose-gc']);
      const usage = () => child.ask<Usage>({ usage: true });
      let file = new Uint8Array();
      try {
        const { url, key } = await child.ask<Started>({ start: { directory } });
        const take = () => timed(async () => void (file = await backupOf(url, key)));
        quiet.push(await take());
        const sending = (seconds: number) =>
          askOnce<Produced>('producer', {
            url,
            token,
            form: 'json',
            batch: BATCH,
            seconds,
            connections: 4,
            from: Date.now(),
            rate: RECORDS_A_SECOND,
          } satisfies Production);
        await usage();
        await sending(SECONDS / 2);
        without.push((await usage()).delayP99);
        const sent = sending(SECONDS);
        await usage();
        beside.push(await take());
        delays.push((await usage()).delayP99);
        await sent;
      } finally {
        await child.stop();
      }
      back.push(await restored(await bench.madeFolder(), file));
    }
    const { directory } = await bench.filled(bench.records);
    // Through a pipe: of a file that goes to /dev/null itself, tar reads nothing.
    const tar = await rounds(ROUNDS, () =>
      timed(() => run('sh', ['-c', 'tar -c -f - -C "$1" . | cat > /dev/null', 'sh', directory])),
    );
    const [alone, under, more] = [sampleOf(quiet), sampleOf(beside), sampleOf(delays)];
    const usual = sampleOf(without);
    return [
      {
        figure: `backup of ${records} records over HTTP`,
        measured: alone,
        unit: 'ms',
        peer: { name: 'GNU tar, the same folder, to nowhere', measured: tar },
        ratio: timesLess(alone, tar),
      },
      {
        figure: `the same beside ${short(RECORDS_A_SECOND)} records/s arriving`,
        measured: under,
        unit: 'ms',
        must: atMost(under.median, 5000, '≤ 5 s'),
      },
      {
        figure: 'event-loop delay p99 of the service meanwhile',
        measured: more,
        unit: 'ms',
        must: atMost(more.median - usual.median, 50, '≤ 50 ms more'),
        peer: { name: 'without a backup', measured: usual },
      },
      { figure: `restore of ${records} records into an empty service`, measured: sampleOf(back), unit: 'ms' },
    ];
  },
};

async function backupOf(url: string, key: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`${url}/_local/v1/backup`, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(await response.text());
  return new Uint8Array(await response.arrayBuffer());
}

async function restored(directory: string, body: Uint8Array<ArrayBuffer>): Promise<number> {
  const child = startChild('service', ['--expose-gc']);
  try {
    const { url, key } = await child.ask<Started>({ start: { directory } });
    return await timed(async () => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-tar' };
      const response = await fetch(`${url}/_local/v1/restore`, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(await response.text());
    });
  } finally {
    await child.stop();
  }
}
