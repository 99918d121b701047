import type { TimeSpan } from '../time/window.ts';
import { plotSvg, roomBeside, timeAxisSvg, type Box } from './plot-svg.ts';
import type { Scene, SceneLook, SceneNote } from './scene.ts';
import { stripsSvg } from './strips-svg.ts';
import { element, short, textAt, titleSvg } from './xml.ts';

/* The plots of a picture above one another, with what lies over all of them. */

const TIME_ROOM = 44;
const PANE_APART = 26;
const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";
/** Notes that have room in a picture; how many more there are is said. */
export const MOST_NOTES = 20;

/** A part of a picture. */
export interface Part {
  readonly svg: string;
  /** Where the next part may begin. */
  readonly bottom: number;
}

interface Place {
  readonly top: number;
  /** Left free on both sides. */
  readonly edge: number;
}

/** What is drawn of a scene: plots, time axis, strips and the flags of its notes. */
export function plotsSvg(scene: PlotScene, look: SceneLook, place: Place): Part {
  const boxes = boxesOf(scene, look, place);
  const plots = scene.panes.map((pane, index) =>
    plotSvg(pane, { box: boxes[index]!, window: scene.window, look, id: `plot-${index}` }),
  );
  const last = boxes.at(-1)!;
  const below = { ...last, top: last.top + last.height + TIME_ROOM, window: scene.window };
  const strips = stripsSvg(scene.strips, look, below);
  return {
    svg: [
      timeAxisSvg(boxes, { window: scene.window, zone: scene.zone, look }),
      ...plots,
      flagsSvg(scene, boxes, look),
      strips.svg,
    ].join(''),
    bottom: strips.bottom,
  };
}

/** What the plots need of a scene. */
export type PlotScene = Pick<Scene, 'panes' | 'strips' | 'window' | 'zone' | 'notes'>;

interface Sheet {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly background: string;
}

/** Parts of a picture as a whole one. */
export function sheetSvg(parts: readonly string[], { title, width, height, background }: Sheet): string {
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      'font-family': FONTS,
      'font-variant-numeric': 'tabular-nums',
    },
    [titleSvg(title), element('rect', { width, height, fill: background }), ...parts].join(''),
  );
}

function boxesOf({ panes }: PlotScene, { width, plotHeight }: SceneLook, { top, edge }: Place): Box[] {
  const room = (side: 'left' | 'right') =>
    Math.max(16, ...panes.map((pane) => roomBeside(pane, side, plotHeight)));
  const left = edge + room('left');
  const right = edge + room('right');
  const across = { left, width: Math.max(100, width - left - right) };
  // What has no numbers has its states below the time.
  if (panes.length === 0) return [{ ...across, top, height: 0 }];
  return panes.map((_, index) => ({
    ...across,
    top: top + index * (plotHeight + PANE_APART),
    height: plotHeight,
  }));
}

/** The notes of the window, earliest first, as they are numbered. */
export function notesIn({
  notes,
  window: { from, to },
}: {
  readonly notes: readonly SceneNote[];
  readonly window: TimeSpan;
}): readonly SceneNote[] {
  return notes
    .filter(({ start, end }) => start <= to && (end ?? start) >= from)
    .toSorted((a, b) => a.start - b.start);
}

/** A numbered flag over the plots for each note. */
function flagsSvg(scene: PlotScene, boxes: readonly Box[], look: SceneLook): string {
  const [first, last] = [boxes[0], boxes.at(-1)];
  if (!first || !last) return '';
  const { from, to } = scene.window;
  const bottom = last.top + last.height;
  const x = (instant: number) =>
    short(first.left + ((Math.min(Math.max(instant, from), to) - from) / (to - from)) * first.width);
  return notesIn(scene)
    .slice(0, MOST_NOTES)
    .map(({ start, end, text }, index) => {
      const band =
        end === null
          ? ''
          : element('rect', {
              x: x(start),
              y: first.top,
              width: Math.max(1, x(end) - x(start)),
              height: bottom - first.top,
              fill: look.text,
              'fill-opacity': 0.07,
            });
      const pole = element('path', {
        d: `M${x(start)} ${first.top - 12}V${bottom}`,
        stroke: look.dimmed,
        'stroke-dasharray': '3 3',
      });
      const number = textAt(x(start) + 4, first.top - 4, String(index + 1), {
        'font-size': 11,
        fill: look.dimmed,
      });
      return element('g', {}, titleSvg(text) + band + pole + number);
    })
    .join('');
}
