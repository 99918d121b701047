import { useMemo } from 'react';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { ChartLine } from '../../../chart/draw/chart-line.ts';
import { plotsSvg, sheetSvg } from '../../../chart/picture-file/plots-svg.ts';
import { sceneLook } from '../../../chart/picture-file/scene-look.ts';
import { sceneNotes } from '../../../chart/picture-file/scene-of.ts';
import type { SceneStrip } from '../../../chart/picture-file/scene.ts';
import type { Pane } from '../../../chart/scale/panes.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import type { Zone } from '../../../time.ts';
import classes from './report.module.css';

interface ReportChartProps {
  readonly name: string;
  readonly lines: readonly ChartLine[];
  readonly panes: readonly Pane[];
  readonly span: TimeSpan;
  readonly zone: Zone;
  readonly notes: readonly Note[];
  readonly strips: readonly SceneStrip[];
}

const WIDTH = 720;
const HEIGHT = 250;
/** Of each of several plots above one another. */
const STACKED_HEIGHT = 110;
/** Room for the unit over the first plot, and for the numbers of the notes. */
const TOP = 22;

/** The chart of a report: drawn like a picture to hand over, so that paper has lines and no pixels. */
export function ReportChart({ name, lines, panes, span, zone, notes, strips }: ReportChartProps) {
  const { svg, height } = useMemo(() => {
    const look = sceneLook('light', { width: WIDTH, plotHeight: panes.length > 1 ? STACKED_HEIGHT : HEIGHT });
    const scene = { panes, strips, window: span, zone, notes: sceneNotes(notes) };
    const plots = plotsSvg(scene, look, { top: TOP, edge: 0 });
    const bottom = Math.ceil(plots.bottom);
    return { height: bottom, svg: sheetSvg([plots.svg], { title: name, ...look, height: bottom }) };
  }, [panes, strips, span, zone, notes, name]);
  const what = [...lines, ...strips].map(({ label }) => label).join(', ');
  return (
    <img
      className={classes['chart']}
      src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
      width={WIDTH}
      height={height}
      alt={`Chart of ${what} over time; its figures are in the tables below.`}
    />
  );
}
