import { valueAt, type UnpackedColumn } from '#shared/handover/packed-columns.ts';
import type { PageKey } from '#shared/handover/page-facts.ts';
import { rowsIn } from '../../chart/records/far-off.ts';
import type { TimeSpan } from '../../chart/time/window.ts';
import { nameWithUnit } from '../../components/facts/key-words.ts';
import { formatCount, shortened } from '../../format.ts';
import { exactNumber } from '../../numbers.ts';
import { formatTime, type Zone } from '../../time.ts';
import { button, el, said, show } from '../parts/dom.ts';
import { table } from '../parts/table.ts';

interface Shown {
  readonly times: Float64Array;
  readonly columns: readonly { readonly key: string; readonly column: UnpackedColumn }[];
  readonly keyOf: (key: string) => PageKey;
  readonly window: TimeSpan;
  readonly zone: Zone;
}

/** Records of a page. */
const PAGE = 25;
/** Letters of a text that a cell has room for; all of it is told where it is pointed at. */
const LETTERS = 80;

/** The records of the chart's window, to their last digit, some at a time. */
export class RecordsTable {
  readonly element = el('div', { class: 'records' });
  #shown: Shown | null = null;
  #page = 0;

  show(shown: Shown): void {
    this.#shown = shown;
    this.#page = 0;
    this.#fill();
  }

  #fill(focus?: 'Previous' | 'Next'): void {
    if (this.#shown === null) return;
    const { times, columns, keyOf, window, zone } = this.#shown;
    const { first, end } = rowsIn(times, window);
    const from = first + this.#page * PAGE;
    const rows = Array.from({ length: Math.max(0, Math.min(PAGE, end - from)) }, (_, at) => from + at);
    const turn = (label: 'Previous' | 'Next', by: -1 | 1, isThere: boolean) =>
      button(label, () => ((this.#page += by), this.#fill(label)), { disabled: !isThere });
    const turns = [turn('Previous', -1, this.#page > 0), turn('Next', 1, from + PAGE < end)];
    const count = formatCount(end - first);
    show(
      this.element,
      rows.length === 0
        ? el('p', {}, 'No record lies in what the chart shows.')
        : [
            el(
              'div',
              { class: 'tools' },
              turns,
              el(
                'span',
                { role: 'status' },
                `${formatCount(from - first + 1)} to ${formatCount(from - first + rows.length)} of ${count} in what the chart shows`,
              ),
            ),
            table({
              caption: 'Records',
              rows,
              columns: [
                { head: 'Time', cell: (row) => formatTime(times[row] ?? 0, zone) },
                ...columns.map(({ key, column }) => ({
                  head: nameWithUnit(key, keyOf(key)),
                  isNumber: true,
                  cell: (row: number) => cellOf(valueAt(column, row)),
                })),
              ],
            }),
          ],
    );
    if (focus === undefined) return;
    const [previous, next] = turns;
    const wanted = focus === 'Next' ? next : previous;
    (wanted?.disabled ? turns.find(({ disabled }) => !disabled) : wanted)?.focus();
  }
}

function cellOf(value: number | string | boolean | undefined): Node | string {
  if (value === undefined) return '';
  if (typeof value === 'number') return exactNumber(value);
  if (typeof value === 'boolean') return String(value);
  const text = said(shortened(value, LETTERS));
  text.title = value;
  return text;
}
