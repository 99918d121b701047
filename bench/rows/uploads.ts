import type { Parsed, ParseMessage } from '../children/parse.ts';
import type { Produced, Production } from '../children/producer.ts';
import type { Started } from '../children/service.ts';
import { inTurn } from '../lib/measure.ts';
import { askOnce, startChild } from '../lib/process.ts';
import { timesMore, type Figure, type Row } from '../lib/row.ts';
import type { UploadForm } from '../lib/upload-bodies.ts';

const ROUNDS = 5;
const SECONDS = 4;
const BATCH = 1000;
const AT_ONCE = 4;
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
    try {
      const { url } = await service.ask<Started>({ start: { directory } });
      const stored = (form: UploadForm) => async () => {
        const message: Production = { url, token, form, batch: BATCH, seconds, connections: AT_ONCE };
        return (await askOnce<Produced>('producer', message)).perSecond;
      };
      const parsed = (form: UploadForm) => async () => {
        const message: ParseMessage = { form, batch: BATCH, seconds };
        return (await askOnce<Parsed>('parse', message)).perSecond;
      };
      const samples = await inTurn(
        bench.isSmall ? 1 : ROUNDS,
        FORMS.flatMap(({ form }) => [stored(form), parsed(form)]),
      );
      return FORMS.flatMap(({ name }, i): Figure[] => {
        const [measured, peer] = [samples[i * 2], samples[i * 2 + 1]];
        if (measured === undefined || peer === undefined) return [];
        return [
          {
            figure: `HTTP, uploads of ${BATCH} records as ${name}, ${AT_ONCE} at once`,
            measured,
            unit: 'records/s',
            peer: { name: 'JSON.parse alone, the same bytes', measured: peer },
            ratio: timesMore(measured, peer),
          },
        ];
      });
    } finally {
      await service.stop();
    }
  },
};
