import type { Load, Loaded } from '../children/load.ts';
import type { Parsed, ParseMessage } from '../children/parse.ts';
import type { Produced, Production } from '../children/producer.ts';
import type { Started } from '../children/service.ts';
import { inTurn } from '../lib/measure.ts';
import { askOnce, startChild } from '../lib/process.ts';
import { atLeast, timesMore, type Figure, type Row } from '../lib/row.ts';
import type { UploadForm } from '../lib/upload-bodies.ts';

const ROUNDS = 5;
const SECONDS = 4;
const BATCH = 1000;
const AT_ONCE = 4;
/** ms of records' own time that no run comes near to. */
const RUN_MS = 100_000_000;
/** Bytes of a page of 100 records, which the hello world of the row `http` answers. */
const PAGE_BYTES = 11_500;
/** Before: 249,000 records/s where the hello world answered 52,800 a second. Twice as many are to be stored. */
const RECORDS_A_HELLO = 9.4;
const FORMS = [
  { form: 'json', name: 'a JSON array' },
  { form: 'ndjson', name: 'NDJSON' },
] as const;

/** What one service takes of a logger that uploads as fast as it is answered, each upload stored durably. */
export const uploads: Row = {
  name: 'uploads',
  title: `Uploads over HTTP, ${BATCH} records each, ${AT_ONCE} at once`,
  async run(bench): Promise<Figure[]> {
    const { directory, token } = await bench.copyOfFilled(0);
    const seconds = bench.isSmall ? 1 : SECONDS;
    const service = startChild('service');
    const hello = startChild('hello');
    let from = Date.now();
    try {
      const { url } = await service.ask<Started>({ start: { directory } });
      const stored = (form: UploadForm) => async () => {
        from += RUN_MS;
        const message: Production = { url, token, form, from, batch: BATCH, seconds, connections: AT_ONCE };
        return (await askOnce<Produced>('producer', message)).perSecond;
      };
      const parsed = (form: UploadForm) => async () => {
        const message: ParseMessage = { form, batch: BATCH, seconds };
        return (await askOnce<Parsed>('parse', message)).perSecond;
      };
      const { url: helloUrl } = await hello.ask<{ url: string }>({ body: 'x'.repeat(PAGE_BYTES) });
      const greeted = async () => {
        const message: Load = { urls: [helloUrl], headers: {}, connections: 32, seconds };
        return (await askOnce<Loaded>('load', message)).rate;
      };
      const [plain, ...samples] = await inTurn(bench.isSmall ? 1 : ROUNDS, [
        greeted,
        ...FORMS.flatMap(({ form }) => [stored(form), parsed(form)]),
      ]);
      return FORMS.flatMap(({ name }, i): Figure[] => {
        const [measured, alone] = [samples[i * 2], samples[i * 2 + 1]];
        if (plain === undefined || measured === undefined || alone === undefined) return [];
        const figure = `HTTP, uploads of ${BATCH} records as ${name}, ${AT_ONCE} at once`;
        const ours = { figure, measured, unit: 'records/s' } as const;
        const aHello = timesMore(measured, plain);
        return [
          {
            ...ours,
            must: atLeast(aHello, RECORDS_A_HELLO, `≥ ${RECORDS_A_HELLO}×`),
            peer: { name: 'Fastify hello, answers/s', measured: plain },
            ratio: aHello,
          },
          {
            ...ours,
            peer: { name: 'JSON.parse alone, the same bytes', measured: alone },
            ratio: timesMore(measured, alone),
          },
        ];
      });
    } finally {
      await service.stop();
      await hello.stop();
    }
  },
};
