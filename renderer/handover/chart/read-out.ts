import { valueAt } from '#shared/handover/packed-columns.ts';
import { readoutOf } from '../../chart/controls/legend/readings.ts';
import { lineDash, type ChartColors } from '../../chart/plot/palette.ts';
import { newestIn } from '../../chart/records/columns.ts';
import { rowsIn } from '../../chart/records/far-off.ts';
import { firstNotBefore, type TimeSpan } from '../../chart/time/window.ts';
import { exactNumber } from '../../numbers.ts';
import { formatTime, type Zone } from '../../time.ts';
import { el, said, show } from '../parts/dom.ts';
import type { DrawnKeys, StripKey } from './drawn-keys.ts';

/** Read-out at an instant: its time, and the value of each key to its last digit. */
export interface Read {
  readonly when: string;
  readonly values: readonly { readonly label: string; readonly text: string; readonly age: string | null }[];
}

interface Asked {
  readonly drawn: DrawnKeys;
  readonly times: Float64Array;
  readonly window: TimeSpan;
  /** µs; null: the newest of the window. */
  readonly instant: number | null;
  readonly zone: Zone;
}

/** Null where there is nothing to read. */
export function readAt({ drawn, times, window, instant, zone }: Asked): Read | null {
  const { picture, lines, strips } = drawn;
  const rows = rowsIn(times, window);
  const newest = picture.kind === 'records' ? newestIn(picture.view, rows.first, rows.end) : [];
  const readout = readoutOf(picture, newest, instant);
  const at = readout?.from ?? instant ?? (rows.end > rows.first ? (times[rows.end - 1] ?? null) : null);
  if (at === null) return null;
  return {
    when: formatTime(at, zone),
    values: [
      ...lines.map(({ label, unit }, place) => {
        const { numbers = [], age = null } = readout?.values[place] ?? {};
        const [value] = numbers;
        const end = unit === '' ? '' : `\u00A0${unit}`;
        return { label, text: value === undefined ? '–' : exactNumber(value) + end, age };
      }),
      ...strips.map((strip) => ({ label: strip.label, text: heldAt(strip, times, at), age: null })),
    ],
  };
}

/** The text or boolean that held at an instant. */
function heldAt({ column }: StripKey, times: Float64Array, instant: number): string {
  for (let row = firstNotBefore(times, instant + 1) - 1; row >= 0; row--) {
    const value = valueAt(column, row);
    if (typeof value === 'string') return value === '' ? '(empty)' : value;
    if (typeof value === 'boolean') return String(value);
  }
  return '–';
}

/** Words for who does not see it. */
export const spoken = ({ when, values }: Read): string =>
  [when, ...values.map(({ label, text, age }) => `${label} ${text}${age === null ? '' : `, ${age}`}`)].join(
    '; ',
  );

/** The read-out below the chart, which is its legend, too. */
export class ReadOut {
  readonly element = el('div', { class: 'read-out' });

  show(read: Read | null, isPointed: boolean, drawn: DrawnKeys, colors: ChartColors): void {
    if (read === null) return show(this.element, el('p', {}, 'Nothing to read here.'));
    show(
      this.element,
      el('p', { class: 'when' }, isPointed ? 'At ' : 'Last ', el('strong', {}, read.when)),
      el(
        'ul',
        {},
        read.values.map(({ label, text, age }, place) =>
          el(
            'li',
            { 'data-key': drawn.lines[place]?.key ?? drawn.strips[place - drawn.lines.length]?.key },
            swatch(drawn.lines[place]?.look, colors),
            said(label),
            ' ',
            el('strong', { class: 'value', dir: 'auto' }, text),
            age && el('small', {}, ` ${age}`),
          ),
        ),
      ),
    );
  }
}

const SVG = 'http://www.w3.org/2000/svg';

/** The line of a key in small; of one without a line nothing. */
function swatch(look: number | undefined, colors: ChartColors): Node | null {
  if (look === undefined) return null;
  const svg = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'path');
  const attributes = {
    d: 'M1 6H23',
    stroke: colors.line(look),
    'stroke-width': 2.5,
    'stroke-dasharray': lineDash(look).join(' '),
  };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, String(value));
  for (const [name, value] of Object.entries({ width: 24, height: 12, 'aria-hidden': 'true' }))
    svg.setAttribute(name, String(value));
  svg.append(line);
  return svg;
}
