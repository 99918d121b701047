import { button, el, show, type Child } from './dom.ts';

export interface TableColumn<Row> {
  readonly head: string;
  /** What it is, for who points at its head. */
  readonly about?: string;
  /** Whether its cells are numbers, which stand at the right. */
  readonly isNumber?: boolean;
  readonly cell: (row: Row, place: number) => Child;
}

interface TableOptions<Row> {
  readonly caption: string;
  readonly rows: readonly Row[];
  /** The first of them names the row. */
  readonly columns: readonly TableColumn<Row>[];
  /** Rows that are shown until somebody wants all of them. */
  readonly most?: number;
}

const MOST_ROWS = 200;

/** A table in a box that scrolls where it is too narrow, and by keys. */
export function table<Row>({ caption, rows, columns, most = MOST_ROWS }: TableOptions<Row>): HTMLElement {
  const body = el('tbody');
  const box = el('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': caption });
  const fillBody = (shown: readonly Row[]) =>
    show(
      body,
      shown.map((row, place) =>
        el(
          'tr',
          {},
          columns.map(({ cell, isNumber }, column) =>
            el(
              column === 0 ? 'th' : 'td',
              { scope: column === 0 && 'row', class: isNumber && 'number' },
              cell(row, place),
            ),
          ),
        ),
      ),
    );
  fillBody(rows.slice(0, most));
  show(
    box,
    el(
      'table',
      {},
      el('caption', {}, caption),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          columns.map(({ head, about, isNumber }) =>
            el('th', { scope: 'col', title: about, class: isNumber && 'number' }, head),
          ),
        ),
      ),
      body,
    ),
  );
  if (rows.length <= most) return box;
  const left = rows.length - most;
  const more = el(
    'p',
    { class: 'more' },
    `These are the first ${most}; ${left.toLocaleString('en')} more are in this file. `,
  );
  more.append(
    button(`Show all ${rows.length.toLocaleString('en')}`, () => {
      fillBody(rows);
      more.remove();
      box.focus();
    }),
  );
  return el('div', {}, box, more);
}

/** A part of the page with its heading. */
export const section = (heading: string, ...children: readonly Child[]): HTMLElement =>
  el('section', {}, el('h3', {}, heading), ...children);
