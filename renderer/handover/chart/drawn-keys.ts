import { KINDS, type UnpackedColumn } from '#shared/handover/packed-columns.ts';
import type { PageKey } from '#shared/handover/page-facts.ts';
import type { ChartLine } from '../../chart/draw/chart-line.ts';
import { drawPicture, pictureOf, type Picture } from '../../chart/draw/picture.ts';
import { lookOf } from '../../chart/plot/palette.ts';
import { boundsIn, type Bounds } from '../../chart/records/columns.ts';
import { groupAxes, needsMoreAxes, type Measured } from '../../chart/scale/group-axes.ts';
import { numbersIn } from '../../chart/scale/outliers.ts';
import { panesOf, type Pane } from '../../chart/scale/panes.ts';
import type { TimeSpan } from '../../chart/time/window.ts';
import { nameOfKey } from '../../components/facts/key-words.ts';
import type { ViewRecords } from '../data/records.ts';
import { wordsOf } from '../data/segments.ts';

/** A key that is a strip below the chart, as it has no numbers. */
export interface StripKey {
  readonly key: string;
  readonly label: string;
  readonly column: UnpackedColumn;
  /** Null where it has too many different ones for a strip: it is read out alone. */
  readonly words: readonly string[] | null;
}

/** Curves of keys with numbers, strips of the others. */
export interface DrawnKeys {
  readonly lines: readonly ChartLine[];
  readonly strips: readonly StripKey[];
  readonly picture: Picture;
  readonly isStacked: boolean;
  readonly panesIn: (window: TimeSpan, width: number) => readonly Pane[];
}

const SECOND_US = 1_000_000;
const NO_HIDDEN: ReadonlySet<string> = new Set();

/** Rejects with an Error where the file is damaged. `looks` remembers which look each key has had. */
export async function drawnKeys(
  records: ViewRecords,
  keys: readonly string[],
  keyOf: (key: string) => PageKey,
  looks: Map<string, number>,
): Promise<DrawnKeys> {
  const columns = await Promise.all(keys.map(async (key) => ({ key, column: await records.column(key) })));
  const known = columns.flatMap(({ key, column }) => (column ? [{ key, column }] : []));
  const numeric = known.filter(({ column }) => column.kinds.includes(KINDS.number));
  const view = { timestamps: records.times, columns: numeric.map(({ column }) => column.numbers) };
  const picture = pictureOf(view);
  const bounds: readonly Bounds[] = boundsIn(view, 0, records.times.length);
  const settings = numeric.map(({ key }) => keyOf(key));
  const measured = settings.map(({ unit, axis }, at): Measured => ({
    bounds: bounds[at] ?? NO_BOUNDS,
    unit,
    wanted: axis,
  }));
  const sides = groupAxes(measured);
  const drawn = numeric.map(({ key }) => key);
  const own = lookOf(drawn, records.keys, looks, keyOf);
  const lines = settings.map((one, at): ChartLine => ({
    id: one.key,
    device_id: '',
    key: one.key,
    label: nameOfKey(one.key, one),
    unit: one.unit,
    look: own[at] ?? at,
    axis: sides[at] ?? 'left',
  }));
  const gaps = settings.map(({ longest_gap_s: longest }) => (longest === null ? null : longest * SECOND_US));
  const isStacked = needsMoreAxes(measured);
  return {
    lines,
    strips: known
      .filter(({ key }) => !drawn.includes(key))
      .map(({ key, column }) => ({ key, label: nameOfKey(key, keyOf(key)), column, words: wordsOf(column) })),
    picture,
    isStacked,
    panesIn: (window, width) =>
      panesOf({
        lines,
        drawing: drawPicture(picture, window, width, gaps),
        hidden: NO_HIDDEN,
        isStacked,
        mode: 'auto',
        fixed: {},
        numbersOf: (place) => numbersIn(picture, place, window),
      }),
  };
}

const NO_BOUNDS: Bounds = { min: Infinity, max: -Infinity };
