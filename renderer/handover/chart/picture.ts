import type { Note } from '#shared/operations/metadata/notes.ts';
import { plotsSvg, sheetSvg } from '../../chart/picture-file/plots-svg.ts';
import { sceneLook } from '../../chart/picture-file/scene-look.ts';
import { sceneNotes } from '../../chart/picture-file/scene-of.ts';
import { stripsSvg } from '../../chart/picture-file/strips-svg.ts';
import type { Pane } from '../../chart/scale/panes.ts';
import type { TimeSpan } from '../../chart/time/window.ts';
import type { Zone } from '../../time.ts';
import { stripIn } from '../data/segments.ts';
import type { DrawnKeys } from './drawn-keys.ts';

const PRINT_WIDTH = 720;
const PLOT_HEIGHT = 260;
const STACKED_HEIGHT = 120;
/** Room for the unit over the first plot, and for the numbers of the notes. */
const TOP = 22;

interface Pictured {
  readonly title: string;
  readonly drawn: DrawnKeys;
  readonly times: Float64Array;
  readonly window: TimeSpan;
  readonly zone: Zone;
}

/** The chart on white, with lines and no pixels, for paper. */
export function printedPicture({
  title,
  notes,
  ...pictured
}: Pictured & { readonly notes: readonly Note[] }): Element {
  const { drawn, window, zone } = pictured;
  const panes: readonly Pane[] = drawn.panesIn(window, PRINT_WIDTH);
  const look = sceneLook('light', {
    width: PRINT_WIDTH,
    plotHeight: panes.length > 1 ? STACKED_HEIGHT : PLOT_HEIGHT,
  });
  const scene = { panes, strips: stripsOf(pictured, PRINT_WIDTH), window, zone, notes: sceneNotes(notes) };
  const plots = plotsSvg(scene, look, { top: TOP, edge: 0 });
  const svg = sheetSvg([plots.svg], { title, ...look, height: Math.ceil(plots.bottom) });
  const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml');
  return document.importNode(documentElement, true);
}

/** The strips below the chart as an address of a picture; null without any. */
export function stripsPicture(
  pictured: Omit<Pictured, 'title' | 'zone'>,
  across: { readonly left: number; readonly width: number; readonly whole: number },
  scheme: 'light' | 'dark',
): { readonly src: string; readonly height: number } | null {
  const strips = stripsOf(pictured, across.width);
  if (strips.length === 0) return null;
  const look = sceneLook(scheme, { width: across.whole, plotHeight: 0 });
  const { svg, bottom } = stripsSvg(strips, look, { ...across, top: 0, window: pictured.window });
  const title = strips.map(({ label }) => label).join(', ');
  const sheet = sheetSvg([svg], { title, ...look, height: Math.ceil(bottom) });
  return { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(sheet)}`, height: Math.ceil(bottom) };
}

const stripsOf = ({ drawn, times, window }: Omit<Pictured, 'title' | 'zone'>, width: number) =>
  drawn.strips.flatMap(({ key, label, column, words }) =>
    words === null ? [] : [{ label, strip: stripIn({ key, column, words }, times, window, width) }],
  );
