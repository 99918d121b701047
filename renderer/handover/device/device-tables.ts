import type { View } from '#shared/domain/corrections.ts';
import type { PageDevice, PageKey } from '#shared/handover/page-facts.ts';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { parseInstant } from '#shared/values/time.ts';
import { FIGURES } from '../../chart/controls/legend/figures.ts';
import { writerOf } from '../../chart/controls/legend/writer.ts';
import type { ChartLine } from '../../chart/draw/chart-line.ts';
import { shareOf } from '../../chart/states/excursion-strip.ts';
import {
  ACT_WORDS,
  correctionWords,
  keyWords,
  KIND_WORDS,
  spanWords,
  versionOf,
  versionWords,
  type Called,
} from '../../components/corrections/correction-words.ts';
import { roughDuration } from '../../components/facts/duration-words.ts';
import { formatValue, nameWithUnit, normalText } from '../../components/facts/key-words.ts';
import { spanTextOf } from '../../components/facts/span-words.ts';
import { formatCount, formatSpan } from '../../format.ts';
import { exactNumber } from '../../numbers.ts';
import { formatTime } from '../../time.ts';
import { notesOf, shownView } from '../data/facts.ts';
import { el, said } from '../parts/dom.ts';
import { section, table } from '../parts/table.ts';

export interface Told {
  readonly device: PageDevice;
  readonly view: View;
  readonly called: Called;
  readonly keyOf: (key: string) => PageKey;
}

const NOTHING = '–';
const instant = (text: string) => parseInstant(text) ?? 0;

/** What the numbers of each key come to; the digits that are left out are told where one is pointed at. */
export function statisticsPart({ device, view, keyOf }: Told): HTMLElement | null {
  const { statistics } = shownView(device, view);
  if (statistics.length === 0) return null;
  const lineOf = ({ key }: KeyStatistics): ChartLine => {
    const { unit } = keyOf(key);
    return { id: key, device_id: '', key, label: key, unit, look: 0, axis: 'left' };
  };
  const known = statistics.map((one) => ({ line: lineOf(one), statistics: one, numbers: [] }));
  const writeOf = writerOf(known, (_, key) => keyOf(key));
  return section(
    'Statistics',
    table({
      caption: 'Statistics of each key',
      rows: statistics,
      columns: [
        { head: 'Key', cell: ({ key }) => said(nameWithUnit(key, keyOf(key))) },
        ...FIGURES.map(({ label, about, text, exact }) => ({
          head: label,
          about,
          isNumber: true,
          cell: (one: KeyStatistics) => {
            const number = exact(one);
            return el(
              'span',
              { title: number === null ? undefined : exactNumber(number) },
              text(one, writeOf(lineOf(one))),
            );
          },
        })),
        {
          head: 'longest silence',
          isNumber: true,
          cell: ({ longest_gap_us: gap }) => (gap === null ? NOTHING : formatSpan(gap)),
        },
      ],
    }),
  );
}

/** How long each key with a normal range lay inside and outside, and when it lay outside. */
export function excursionsPart({ device, view, called, keyOf }: Told): HTMLElement | null {
  const { excursions } = shownView(device, view);
  if (excursions.length === 0) return null;
  const name = (key: string) => said(nameWithUnit(key, keyOf(key)));
  const part = (us: number, one: (typeof excursions)[number]) =>
    us === 0 ? 'none' : `${roughDuration(us / 1e6)} (${shareOf(us, one)})`;
  const listed = excursions.flatMap((one) =>
    one.excursions.map((excursion) => ({ key: one.key, ...excursion })),
  );
  const left = excursions.reduce((sum, one) => sum + one.excursion_count, -listed.length);
  const time = (text: string) => formatTime(instant(text), called.zone);
  return section(
    'Excursions',
    table({
      caption: 'Time in the normal range',
      rows: excursions,
      columns: [
        { head: 'Key', cell: ({ key }) => name(key) },
        { head: 'Normal range', cell: (one) => normalText({ ...one, unit: keyOf(one.key).unit }) },
        { head: 'In range', isNumber: true, cell: (one) => part(one.inside_us, one) },
        { head: 'Outside', isNumber: true, cell: (one) => part(one.outside_us, one) },
        { head: 'Not measured', isNumber: true, cell: (one) => part(one.not_measured_us, one) },
        { head: 'Excursions', isNumber: true, cell: (one) => formatCount(one.excursion_count) },
      ],
    }),
    listed.length === 0
      ? el('p', {}, 'No value lay outside its normal range.')
      : table({
          caption: 'Excursions of each key',
          rows: listed,
          columns: [
            { head: 'Key', cell: ({ key }) => name(key) },
            { head: 'From', cell: ({ start }) => time(start) },
            { head: 'To', cell: ({ end }) => time(end) },
            {
              head: 'Length',
              isNumber: true,
              cell: ({ start, end }) =>
                start === end ? 'one reading' : roughDuration((instant(end) - instant(start)) / 1e6),
            },
            {
              head: 'Worst',
              isNumber: true,
              cell: ({ key, worst, side }) => `${formatValue(worst, keyOf(key))}, ${side}`,
            },
            { head: 'at', cell: ({ at }) => time(at) },
          ],
        }),
    left > 0
      ? el('p', {}, `These are the first of each key; ${formatCount(left)} more are not listed.`)
      : null,
  );
}

export function notesPart({ device, view, called }: Told): HTMLElement | null {
  const notes = notesOf(device, view);
  if (notes.length === 0) return null;
  return section(
    'Notes',
    table({
      caption: 'Notes',
      rows: notes,
      columns: [
        { head: 'No.', cell: (_, place) => String(place + 1) },
        { head: 'When', cell: ({ start, end }) => spanTextOf(start, end, called.zone) },
        { head: 'Note', cell: ({ text }) => words(text) },
        { head: 'By', cell: ({ author }) => said(author) },
      ],
    }),
  );
}

const words = (text: string) => el('span', { dir: 'auto', class: 'words' }, text);

/** Versions of corrections, also of removed ones, the latest first; null where there are none. */
function historyTable({ device: { history }, called }: Told): HTMLElement | null {
  if (history.length === 0) return null;
  return table({
    caption: 'History of corrections',
    rows: history,
    columns: [
      { head: 'When', cell: ({ at }) => formatTime(instant(at), called.zone) },
      { head: 'By', cell: ({ by }) => said(by) },
      { head: 'What', cell: (one) => words(`${ACT_WORDS[one.act]}: ${versionOf(one, called)}`) },
      { head: 'Before', cell: (one) => words(versionWords(one, one.before, called)) },
      { head: 'After', cell: (one) => words(versionWords(one, one.after, called)) },
      { head: 'Reason', cell: ({ reason = NOTHING }) => words(reason) },
    ],
  });
}

/** Corrections in force, which hold for the corrected values, and their history. */
export function correctionsPart(told: Told): HTMLElement {
  const { device, view, called } = told;
  const { corrections } = device;
  const heading = 'Corrections';
  if (corrections.length === 0)
    return section(heading, el('p', {}, 'None: all values are as they were stored.'), historyTable(told));
  return section(
    heading,
    el(
      'p',
      {},
      view === 'corrected'
        ? 'They are in the values of this page. “Raw, as stored” above shows the values without them.'
        : 'They are not in the values that are shown now. “Corrected” above shows the values with them.',
    ),
    table({
      caption: 'Corrections',
      rows: corrections,
      columns: [
        { head: 'Kind', cell: ({ kind }) => KIND_WORDS[kind] },
        { head: 'Keys', cell: (one) => said(keyWords(one, called)) },
        {
          head: 'What',
          cell: (one) => words(correctionWords(one, called)),
        },
        {
          head: 'Stored times',
          cell: (one) => el('span', { class: 'words' }, spanWords(one, called.zone)),
        },
        {
          head: 'Reason',
          cell: ({ reason = NOTHING }) => words(reason),
        },
        { head: 'Certificate', cell: ({ certificate = NOTHING }) => said(certificate) },
        { head: 'By', cell: ({ by }) => said(by) },
        { head: 'Changed', cell: ({ changed }) => formatTime(instant(changed), called.zone) },
        { head: 'Version', isNumber: true, cell: ({ version }) => String(version) },
      ],
    }),
    historyTable(told),
  );
}
