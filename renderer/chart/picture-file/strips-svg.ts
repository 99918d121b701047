import { BAR_HEIGHT, labelsOf, pathsOf, xOf } from '../states/strip-paths.ts';
import type { TimeSpan } from '../time/window.ts';
import type { Box } from './plot-svg.ts';
import type { SceneLook, SceneStrip } from './scene.ts';
import { element, fitted, textAt, titleSvg } from './xml.ts';

const CAPTION = 20;
const APART = 8;
const TEXT = 12;
/** Strips that have room in a picture; how many more there are is said. */
const MOST_STRIPS = 12;

interface Place extends Pick<Box, 'left' | 'width' | 'top'> {
  readonly window: TimeSpan;
}

/** The texts and booleans of a scene below its plots, each as a strip of what held when. */
export function stripsSvg(strips: readonly SceneStrip[], look: SceneLook, place: Place) {
  if (strips.length === 0) return { svg: '', bottom: place.top };
  const shown = strips.slice(0, MOST_STRIPS);
  const more = strips.length - shown.length;
  const height = CAPTION + BAR_HEIGHT + APART;
  const clip = element(
    'clipPath',
    { id: 'strips' },
    element('rect', { x: place.left, y: place.top, width: place.width, height: shown.length * height }),
  );
  const bars = shown.map((strip, index) =>
    barSvg(strip, look, { ...place, top: place.top + index * height }),
  );
  const bottom = place.top + shown.length * height;
  const rest =
    more > 0
      ? textAt(place.left, bottom + TEXT, `and ${more} more`, { 'font-size': TEXT, fill: look.dimmed })
      : '';
  return {
    svg: element('defs', {}, clip + changingSvg(look)) + bars.join('') + rest,
    bottom: bottom + (more > 0 ? CAPTION : 0) + APART,
  };
}

/** Where several values lie within a pixel. */
const changingSvg = (look: SceneLook) =>
  element(
    'pattern',
    {
      id: 'changing',
      width: 4,
      height: 4,
      patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)',
    },
    element('path', { d: 'M0 0V4', stroke: look.text, 'stroke-width': 2, opacity: 0.5 }),
  );

function barSvg({ label, strip }: SceneStrip, look: SceneLook, { left, width, top, window }: Place): string {
  const bar = top + CAPTION - 4;
  const within = xOf(window, width);
  const x = (instant: number) => left + within(instant);
  const paths = pathsOf(strip.segments, x, bar).map(({ place, area, edges }) => {
    const color = place === -1 ? look.text : look.line(place);
    const fill = place === -1 ? 'url(#changing)' : color;
    return (
      element('path', { d: area, fill, 'fill-opacity': place === -1 ? 1 : 0.3 }) +
      (edges === '' ? '' : element('path', { d: edges, fill: color }))
    );
  });
  const words = labelsOf(strip.segments, x, { begin: left, end: left + width }).map(({ x: at, text }) =>
    textAt(at, bar + BAR_HEIGHT / 2 + 4, text, { 'font-size': TEXT, fill: look.text }),
  );
  return (
    textAt(left, top + TEXT - 2, fitted(label, TEXT, width), { 'font-size': TEXT, fill: look.text }) +
    element('g', { 'clip-path': 'url(#strips)' }, titleSvg(label) + paths.join('') + words.join(''))
  );
}
