import type { Page, TakeReadings, Viewed } from '#core/store/store.ts';
import { surveyExcursions } from '#core/survey/excursions.ts';
import { STATES } from '#core/survey/states.ts';
import { STATISTICS } from '#core/survey/statistics.ts';
import { TIMES } from '#core/survey/times.ts';
import { KEYS, type Case } from './draw.ts';
import type { Reader } from './readers.ts';

/* What is asked of a device: pages, totals, series, statistics, states, times, files, and what a report is made of beside them. */

type Question = (reader: Reader, of: Viewed, asked: Case) => Promise<unknown>;

const PAUSE = 5;

export const QUESTIONS: Readonly<Record<string, Question>> = {
  pages: async ({ records }, of, { offset, limit, range }) => {
    const pages = [];
    for (const query of [
      { offset: 0, limit },
      { offset, limit, range },
      { offset, limit, range, keys: ['a', 'x', 'mixed'] },
    ]) {
      const { total, json } = await records.page(of, query);
      pages.push({ total, json: await textOf(json) });
    }
    return pages;
  },
  columns: ({ records }, of, { offset, limit, range }) =>
    records.columns(of, { offset, limit, range, keys: KEYS }),
  totals: async ({ records }, of, { range }) => ({
    count: await records.count(of, range),
    within: [await records.within(of, {}), await records.within(of, range)],
    with: [
      await records.countWith(of, range, ['rare', 'text', 'y']),
      await records.countWith(of, range, ['a', 'b']),
      await records.countWith(of, {}, ['mixed']),
    ],
  }),
  records: async ({ records }, of, { range }) => {
    const all = [];
    for await (const some of records.scan(of, range)) all.push(...some);
    return all;
  },
  summary: async ({ records }, of) => {
    const { records: all, first, last, keys } = await records.summary(of);
    return { all, first, last, keys };
  },
  latest: ({ records }, of) =>
    records.latest([
      { device: of, keys: KEYS },
      { device: of, keys: null },
    ]),
  series: ({ records }, of, { range, width }) => records.series(of, { range, keys: KEYS, width }),
  readings: ({ records }, of, { range }) =>
    Promise.all(
      ['a', 'mixed', 'x'].map(async (key) => {
        const query = { key, range, pause: 0 };
        return (await records.readings(of, { query, begin: () => new Listed(range.end) })).all;
      }),
    ),
  excursions: (reader, of, { range, width }) =>
    surveyExcursions(reader.records, of, {
      range,
      key: 'a',
      normal: { low: -5, high: 5 },
      pause: PAUSE,
      most: 100,
      width,
    }),
  statistics: (reader, of, { range }) =>
    reader.survey(
      STATISTICS,
      {
        range,
        keys: KEYS,
        pauses: KEYS.map(() => PAUSE),
        normal: KEYS.map(() => ({ low: -5, high: 5 })),
      },
      of,
    ),
  states: (reader, of, { range, width }) =>
    reader.survey(STATES, { range, keys: KEYS, width, statesAlone: false, most: 1000 }, of),
  times: (reader, of, { range, width }) =>
    reader.survey(
      TIMES,
      { range: {}, keys: [], shown: range, width, now: range.end, pause: PAUSE, most: 5 },
      of,
    ),
  files: async (reader, of, { range }) => {
    const files = [];
    for (const format of ['csv', 'ndjson'] as const) {
      let text = '';
      for await (const { bytes } of reader.file(of, range, { format, keys: KEYS }))
        text += Buffer.from(bytes).toString();
      files.push(text);
    }
    return files;
  },
};

async function textOf(json: Page['json']): Promise<string> {
  if (json instanceof Uint8Array) return Buffer.from(json).toString();
  let text = '';
  for await (const piece of json) text += Buffer.from(piece).toString();
  return text;
}

/** The readings up to the first one behind a range: how many come behind that is the reader's business. */
class Listed implements TakeReadings {
  readonly all: (readonly [time: number, value: number])[] = [];
  isOver = false;
  readonly #end: number;

  constructor(end: number) {
    this.#end = end;
  }

  one(time: number, value: number): void {
    if (this.isOver) return;
    this.all.push([time, value]);
    this.isOver = time > this.#end;
  }

  some(): boolean {
    return false;
  }
}
