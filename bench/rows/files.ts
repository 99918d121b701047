import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Started } from '../children/service.ts';
import { uniform } from '../lib/data.ts';
import { inTurn, timed, type Sample } from '../lib/measure.ts';
import { startChild } from '../lib/process.ts';
import { atLeast, short, timesMore, type Figure, type Row } from '../lib/row.ts';
import { openSqliteShell } from '../peers/sqlite-shell.ts';

const MOST_RECORDS = 1_000_000;
const ROUNDS = 5;
/** The sender and the reader share the machine with what is measured: they are to cost little. */
const PIECE_BYTES = 1 << 20;
const NAMES = ['time', 'a', 'b', 'c', 'd'];

/** Times as fast as the sqlite3 program. */
const AT_LEAST = 2.5;

export const files: Row = {
  name: 'files',
  title: 'Files: CSV in and out over HTTP, beside the sqlite3 program',
  async run(bench): Promise<Figure[]> {
    const records = Math.min(bench.records, MOST_RECORDS);
    const folder = await bench.madeFolder();
    const csv = join(folder, 'recording.csv');
    await writeRecording(csv, records);
    const peer = await openSqliteShell();
    if (peer === null)
      bench.note('sqlite3 is not installed (apt-get install sqlite3), so files have no peer here.');
    const { directory, project, device } = await bench.copyOfFilled(0);
    const child = startChild('service');
    try {
      const { url, key } = await child.ask<Started>({ start: { directory } });
      const at = `${url}/_local/v1/projects/${project}/devices/${device}`;
      const rate = async (work: () => Promise<unknown>) => (records * 1000) / (await timed(work));
      const database = join(folder, 'peer.db');

      const imports = await inTurn(ROUNDS, [
        async () => {
          await call(`${url}/v2/projects/${project}/devices/${device}/data`, 'DELETE', key);
          return rate(() => upload(`${at}/records?zone=UTC`, key, csv, records));
        },
        ...(peer ? [() => rate(() => peer.importCsv(csv, database))] : []),
      ]);
      const exports = await inTurn(ROUNDS, [
        () => rate(() => download(`${at}/records?format=csv`, key, records)),
        ...(peer ? [() => rate(() => peer.exportCsv(database))] : []),
        () => rate(() => download(`${at}/records?format=ndjson`, key, records)),
      ]);
      const name = `sqlite3 ${peer?.version ?? ''}`;
      const size = short(records);
      return [
        figureOf(
          `import of ${size} as CSV, upload to stored`,
          imports[0],
          peer && imports[1],
          `${name} .import`,
        ),
        figureOf(`export of ${size} as CSV`, exports[0], peer && exports[1], `${name} -csv`),
        figureOf(`export of ${size} as NDJSON`, exports.at(-1), null, ''),
      ];
    } finally {
      await child.stop();
    }
  },
};

/** A time each second and four numbers, as a logger writes them. */
async function writeRecording(path: string, records: number): Promise<void> {
  const random = uniform(5);
  function* lines() {
    yield `${NAMES.join()}\n`;
    for (let n = 0; n < records;) {
      let text = '';
      for (const end = Math.min(records, n + 1000); n < end; n++)
        text += `${new Date(1_700_000_000_000 + n * 1000).toISOString()},${(20 + Math.sin(n / 100) * 5).toFixed(2)},${(1000 + (n % 97)) / 10},${n % 1000},${(random() * 100).toFixed(3)}\n`;
      yield text;
    }
  }
  await pipeline(lines(), createWriteStream(path));
}

async function call(url: string, method: string, key: string): Promise<void> {
  const response = await fetch(url, { method, headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${method} ${url}: ${await response.text()}`);
}

async function upload(url: string, key: string, file: string, records: number): Promise<void> {
  const { size } = await stat(file);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv', 'content-length': size };
  const sending = request(url, { method: 'POST', headers });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  await pipeline(createReadStream(file, { highWaterMark: PIECE_BYTES }), sending);
  const [response] = await answered;
  let text = '';
  for await (const piece of response) text += String(piece);
  if (!text.includes(`"stored":${records},`)) throw new Error(`The import answered ${text}`);
}

async function download(url: string, key: string, records: number): Promise<void> {
  const asking = request(url, { headers: { authorization: `Bearer ${key}` } }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  let bytes = 0;
  response.on('data', (piece: Buffer) => (bytes += piece.length));
  await once(response, 'end');
  // A line has more than a time.
  if (bytes < records * 40) throw new Error(`The export has ${bytes} bytes.`);
}

function figureOf(
  figure: string,
  measured: Sample | undefined,
  other: Sample | null | undefined,
  name: string,
): Figure {
  if (measured === undefined) throw new Error(`${figure} was not measured.`);
  if (!other) return { figure, measured, unit: 'records/s' };
  const ratio = timesMore(measured, other);
  return {
    figure,
    measured,
    unit: 'records/s',
    peer: { name, measured: other },
    ratio,
    must: atLeast(ratio, AT_LEAST, `≥ ${AT_LEAST}×`),
  };
}
