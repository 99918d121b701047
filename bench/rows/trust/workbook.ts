import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Started } from '../../children/service.ts';
import { grownBy } from '../../lib/child-memory.ts';
import { inTurn, sampleOf, timed } from '../../lib/measure.ts';
import { startChild } from '../../lib/process.ts';
import { atMost, short, timesLess, type Figure, type Row } from '../../lib/row.ts';

const MOST_RECORDS = 1_000_000;
const ROUNDS = 3;
const MB = 1 << 20;

const FORMATS = ['xlsx', 'csv', 'parquet', 'html'] as const;
type Format = (typeof FORMATS)[number];

export const workbook: Row = {
  name: 'workbook',
  title: 'An Excel workbook over HTTP, beside CSV, Parquet and a page of the same records',
  async run(bench): Promise<Figure[]> {
    const records = Math.min(bench.records, MOST_RECORDS);
    const { directory, project, device } = await bench.filled(records);
    const memory: Record<Format, number[]> = { xlsx: [], csv: [], parquet: [], html: [] };
    const sizes: Record<Format, number> = { xlsx: 0, csv: 0, parquet: 0, html: 0 };
    // A service of its own for each, whose memory grew by nothing else.
    const round = (format: Format) => async () => {
      const child = startChild('service');
      try {
        const { url, key } = await child.ask<Started>({ start: { directory } });
        const at = `${url}/_local/v1/projects/${project}/devices/${device}/records?format=${format}`;
        const { result: ms, grown } = await grownBy(child, () =>
          timed(async () => (sizes[format] = await bytesOf(at, key))),
        );
        memory[format].push(grown);
        return ms;
      } finally {
        await child.stop();
      }
    };
    const [ours, csv] = await inTurn(ROUNDS, FORMATS.map(round));
    const sizeOf = (format: Format) => `${(sizes[format] / MB).toFixed(1)} MB`;
    bench.note(
      `The workbook of ${short(records)} records has ${sizeOf('xlsx')}, their CSV ${sizeOf('csv')}, their Parquet ${sizeOf('parquet')}, their page ${sizeOf('html')}.`,
    );
    return [
      {
        figure: `export of ${short(records)} as Excel workbook`,
        measured: ours!,
        unit: 'ms',
        peer: { name: 'CSV', measured: csv! },
        ratio: timesLess(ours!, csv!),
      },
      ...FORMATS.map((format) => grownFigure(format, memory[format])),
    ];
  },
};

const NAMES: Readonly<Record<Format, string>> = {
  xlsx: 'an Excel workbook',
  csv: 'CSV',
  parquet: 'Parquet',
  html: 'a page',
};

function grownFigure(format: Format, grown: readonly number[]): Figure {
  const measured = sampleOf(grown);
  return {
    figure: `memory of the service while it exports ${NAMES[format]}, over what it had`,
    measured,
    unit: 'MB',
    must: atMost(measured.median, 100, '≤ 100 MB'),
  };
}

async function bytesOf(url: string, key: string): Promise<number> {
  const asking = request(url, { headers: { authorization: `Bearer ${key}` } }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  let bytes = 0;
  response.on('data', (piece: Buffer) => (bytes += piece.length));
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`The export answered ${response.statusCode}.`);
  return bytes;
}
