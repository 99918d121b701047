import { Random } from './random.ts';
import type { Recipe } from './recipe.ts';
import { wayOf } from './times.ts';
import { cellOf, type Cell, type True } from './values.ts';

export interface WrittenFile {
  readonly bytes: Buffer;
  /** The records that an import should make of it, µs since 1970 by the clock on the wall. */
  readonly records: readonly { readonly time: number; readonly values: readonly True[] }[];
  /** What says a wrong value of it. */
  readonly saidBy: RegExp | null;
  /** What must be said of it where it is read right. */
  readonly says: readonly RegExp[];
  /** When the recording began, ms. */
  readonly startMs: number;
}

const SHIFT = {
  'goes on': () => 0,
  'goes back': ({ rows, stepMs }: Recipe) => -rows * stepMs,
  'goes ahead': () => 40 * 366 * 86_400_000,
};
const SAYS = { 'goes on': [], 'goes back': [/ goes back 1 time,/], 'goes ahead': [/ in the future, first /] };

const text = (of: string): Cell => ({ text: of, value: of, isText: true });

/** Writes the file of a recipe; the same seed gives the same bytes. */
export function writeFile(recipe: Recipe, seed: number): WrittenFile {
  const { delimiter, lineEnd, columns, constants } = recipe;
  const random = new Random(seed ^ 0x5eed);
  const way = wayOf(recipe.way);
  const mark = recipe.style.mark === ',' && (delimiter !== ',' || recipe.bareCommas) ? ',' : '.';
  const east = (recipe.said?.minutes ?? 0) * 60_000;
  const lines: string[] = [];
  const records: { time: number; values: True[] }[] = [];
  // The decimal mark of times is that of the file.
  const times = (ms: number) =>
    way
      .write(way.elapsed ? ms - recipe.startMs : ms)
      .map((one) => (/^\d+\.\d+$/.test(one) ? one.replace('.', mark) : one));

  const field = ({ text: written, isText }: Cell) => {
    const needs = (written.includes(delimiter) && (isText || !recipe.bareCommas)) || written.includes('"');
    const isQuoted = needs || recipe.quotes === 'all' || (recipe.quotes === 'texts' && isText);
    const width = recipe.padded && !isText && isQuoted ? 8 : 0;
    const padded = written === '' ? '' : written.padStart(width);
    return isQuoted && !(written === '' && recipe.quotes !== 'all')
      ? `"${padded.replaceAll('"', '""')}"`
      : padded;
  };
  const line = (cells: readonly Cell[]) => cells.map(field).join(delimiter);
  const around = (own: readonly Cell[], time: readonly Cell[], other: Cell, first: Cell) => [
    ...(recipe.counted ? [first] : []),
    ...(recipe.received === 'before' ? [other] : []),
    ...time,
    ...own,
    ...(recipe.received === 'behind' ? [other] : []),
  ];
  const named = (own: readonly string[], time: readonly string[], other: string, first: string) =>
    line(
      around(
        [...constants.map(({ name }) => name), ...own].slice(-own.length - constants.length).map(text),
        time.map(text),
        text(other),
        text(first),
      ),
    );

  const fields =
    constants.length +
    columns.length +
    recipe.timeNames.length +
    [recipe.counted, recipe.received !== 'no'].filter(Boolean).length;
  const filled = (title: string) =>
    title + delimiter.repeat(Math.max(0, fields - title.split(delimiter).length));
  lines.push(...(recipe.filledUp ? recipe.preamble.map(filled) : recipe.preamble));
  const headOf = (order: Recipe['columns']) =>
    named(
      order.map(({ name }) => name),
      recipe.timeNames,
      recipe.received === 'before' ? 'received' : 'stored',
      '#',
    );
  const head = headOf(columns);
  if (recipe.header) lines.push(head);
  const width = columns.length + 1;
  for (let at = 0; recipe.header && at < recipe.below.length; at += width) {
    const [first = '', ...others] = recipe.below.slice(at, at + width);
    const time = recipe.timeNames.map((_, index) => (index === 0 ? first : ''));
    lines.push(
      line(
        around([...constants.map(() => text('')), ...others.map(text)], time.map(text), text(''), text('')),
      ),
    );
  }
  for (let row = 0; row < recipe.rows; row++) {
    const ms =
      recipe.startMs + row * recipe.stepMs + (row >= recipe.rows / 2 ? SHIFT[recipe.clock](recipe) : 0);
    const cells = columns.map(({ kind }) =>
      cellOf(kind, random, row, {
        ...recipe.style,
        mark: recipe.quotes === 'all' ? recipe.style.mark : mark,
      }),
    );
    const fixed = constants.map(({ text: one }) => ({
      text: one,
      value: /^\d+$/.test(one) ? Number(one) : one,
      isText: !/^\d/.test(one),
    }));
    const own = [...fixed, ...cells];
    const isAnew = recipe.accident === 'named anew' && row >= recipe.rows / 2;
    if (isAnew && row - 1 < recipe.rows / 2) lines.push(headOf(columns.toReversed()));
    const written = new Date(ms + 86_400_000 * 3).toISOString();
    lines.push(
      line(
        around(
          isAnew ? [...fixed, ...cells.toReversed()] : own,
          times(ms).map((one) => ({ ...text(one), isText: !/^[\d.,]+$/.test(one) })),
          text(written),
          { text: String(row + 1), value: row + 1 },
        ),
      ),
    );
    const values = [...own.map(({ value }) => value), ...(recipe.received === 'behind' ? [written] : [])];
    if (recipe.received === 'before') values.unshift(written);
    if (values.some((value) => value !== undefined)) records.push({ time: (ms - east) * 1000, values });
    if (recipe.repeatedHead && recipe.header && row === Math.floor(recipe.rows / 2)) lines.push(head);
  }
  if (recipe.end === 'footer') lines.push('End of recording');
  const whole = `${lines.join(lineEnd)}${lineEnd}${recipe.end === '\u001A' ? '\u001A' : ''}`;
  const cut = recipe.accident === 'cut';
  // The delimiter before its last value stays.
  const shortest = whole.lastIndexOf(delimiter) + 2;
  const end = cut ? random.int(shortest, whole.trimEnd().length - 1) : whole.length;
  return {
    bytes: encode(whole.slice(0, end), recipe),
    records,
    saidBy: cut ? /it may be cut/ : null,
    says: SAYS[recipe.clock],
    startMs: recipe.startMs,
  };
}

function encode(whole: string, { encoding, byteOrderMark }: Recipe): Buffer {
  if (encoding === 'windows-1252') return Buffer.from(whole, 'latin1');
  if (encoding === 'utf-8') return Buffer.from((byteOrderMark ? '\uFEFF' : '') + whole);
  const bytes = Buffer.from(`\uFEFF${whole}`, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}
