import { formatClock, formatDay, localZone, zoneOffset, type Zone } from '../../time.ts';
import type { TimeSpan } from '../time/window.ts';
import { MOST_NOTES, notesIn, plotsSvg, sheetSvg, type Part } from './plots-svg.ts';
import type { Scene, SceneLegend, SceneLook } from './scene.ts';
import { element, fitted, textAt, widthOf } from './xml.ts';

/*
 * A picture of a chart as SVG, made of what is drawn and of nothing else: title, span and zone, plots, strips of
 * states, legend with statistics, notes.
 */

const EDGE = 24;
const TITLE = 20;
const TEXT = 13;
const ROW = 22;
const SWATCH = 26;

export function pictureSvg(scene: Scene, look: SceneLook): string {
  const { width } = look;
  const head = headSvg(scene, look);
  const plots = plotsSvg(scene, look, { top: head.height, edge: EDGE });
  const legend = legendSvg(scene.legend, look, plots.bottom);
  const notes = notesSvg(scene, look, legend.bottom);
  const height = Math.ceil(notes.bottom + EDGE / 2);
  return sheetSvg([head.svg, plots.svg, legend.svg, notes.svg], {
    title: scene.title,
    width,
    height,
    background: look.background,
  });
}

function headSvg({ title, about, window, zone }: Scene, look: SceneLook) {
  const room = look.width - 2 * EDGE;
  const span = spanWords(window, zone);
  const svg = [
    textAt(EDGE, EDGE + TITLE * 0.8, fitted(title, TITLE, room), {
      fill: look.text,
      'font-size': TITLE,
      'font-weight': 600,
    }),
    about &&
      textAt(EDGE, EDGE + TITLE + 14, fitted(about, TEXT, room), { fill: look.dimmed, 'font-size': TEXT }),
    textAt(EDGE, EDGE + TITLE + (about ? 34 : 14), span, { fill: look.dimmed, 'font-size': TEXT }),
  ];
  return { svg: svg.join(''), height: EDGE + TITLE + (about ? 34 : 14) + 28 };
}

/** `2026-11-18 18:00:00 – 2026-11-19 18:00:00 UTC+01:00 (Europe/Berlin)`; both offsets where summer time comes in between. */
export function spanWords({ from, to }: TimeSpan, zone: Zone): string {
  const [first, last] = [zoneOffset(from, zone), zoneOffset(to, zone)];
  const offsets = first === last ? first : `${first}/${last}`;
  return `${timeWords(from, zone)} – ${timeWords(to, zone)} ${offsets}${zone === 'utc' ? '' : ` (${localZone()})`}`;
}

/** Columns as wide as what is in them, numbers to the right, names in what is left. */
function legendSvg({ columns, rows }: SceneLegend, look: SceneLook, top: number): Part {
  if (rows.length === 0) return { svg: '', bottom: top };
  const widths = columns.map(
    (head, column) =>
      Math.max(
        ...[head, ...rows.map(({ cells }) => cells[column] ?? '')].map((text) => widthOf(text, TEXT)),
      ) + 20,
  );
  const ends: number[] = [];
  for (let column = columns.length - 1, end = look.width - EDGE; column >= 0; end -= widths[column--]!)
    ends[column] = end;
  const names = (ends[0] ?? look.width - EDGE) - (widths[0] ?? 0) - EDGE - SWATCH;
  const style = { 'font-size': TEXT, 'text-anchor': 'end' };
  const heads = columns.map((head, column) =>
    textAt(ends[column]!, top + ROW / 2, head, { ...style, fill: look.dimmed }),
  );
  const body = rows.map(({ look: own, label, cells }, row) => {
    const y = top + (row + 1) * ROW + ROW / 2;
    const swatch = element('path', {
      d: `M${EDGE} ${y - 4}h${SWATCH - 8}`,
      stroke: look.line(own),
      'stroke-width': 2.5,
      'stroke-dasharray': look.dash(own).join(' ') || undefined,
    });
    const name = textAt(EDGE + SWATCH, y, fitted(label, TEXT, Math.max(80, names)), {
      'font-size': TEXT,
      fill: look.text,
    });
    return (
      swatch +
      name +
      cells.map((cell, column) => textAt(ends[column] ?? 0, y, cell, { ...style, fill: look.text })).join('')
    );
  });
  return { svg: heads.join('') + body.join(''), bottom: top + (rows.length + 1) * ROW + 12 };
}

function notesSvg(scene: Scene, look: SceneLook, top: number): Part {
  const notes = notesIn(scene);
  const lines = notes.slice(0, MOST_NOTES).map(({ start, end, text, author }, index) => {
    const when = [start, ...(end === null ? [] : [end])]
      .map((instant) => timeWords(instant, scene.zone))
      .join(' – ');
    return `${index + 1}  ${when}  ${text.replaceAll(/\s+/g, ' ')} (${author})`;
  });
  if (notes.length > MOST_NOTES) lines.push(`and ${notes.length - MOST_NOTES} more`);
  const svg = lines.map((line, index) =>
    textAt(EDGE, top + index * ROW + ROW / 2, fitted(line, TEXT, look.width - 2 * EDGE), {
      'font-size': TEXT,
      fill: look.text,
    }),
  );
  return { svg: svg.join(''), bottom: top + lines.length * ROW };
}

const timeWords = (instant: number, zone: Zone) =>
  `${formatDay(instant, zone)} ${formatClock(instant, zone)}`;
