import { Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { FIRST_WIDTH, lookAtChart, useChartData } from '../../../chart/data.ts';
import { isBlank } from '../../../chart/line.ts';
import type { ChartColors } from '../../../chart/palette.ts';
import { drawPicture } from '../../../chart/picture.ts';
import { groupScales } from '../../../chart/scales.ts';
import { TimeChart } from '../../../chart/time-chart.tsx';
import { pan, selected, zoom, type TimeSpan } from '../../../chart/window.ts';
import { useShortcuts } from '../../../components/screen/use-shortcuts.ts';
import classes from './chart-panel.module.css';
import { markedAt, wordsOf } from './readout-words.ts';
import { Readout } from './readout.tsx';

interface LiveChartProps {
  readonly keys: readonly string[];
  /** The look of each key's line (palette.ts). */
  readonly looks: readonly number[];
  readonly colors: ChartColors;
  /** The window to look at; null is everything, also what is still to come. */
  readonly chosen: TimeSpan | null;
  readonly onChoose: (window: TimeSpan | null) => void;
}

const STEP = 0.2;

const EMPTY_WINDOW: TimeSpan = { from: 0, to: 1 };

/** What has come of the records, drawn at the window that the technician chose; new ones come in on the right. */
export function LiveChart({ keys, looks, colors, chosen, onChoose }: LiveChartProps) {
  const { picture, bounds, newest, ...data } = useChartData();
  const [width, setWidth] = useState(FIRST_WIDTH);
  const [cursor, setCursor] = useState<number | null>(null);
  useEffect(() => lookAtChart({ window: chosen, width }), [chosen, width]);

  const whole = data.whole ?? EMPTY_WINDOW;
  const { from, to } = data.window ?? whole;
  const drawing = useMemo(
    () => picture && drawPicture(picture, { from, to }, width),
    [picture, from, to, width],
  );
  const grouping = JSON.stringify(groupScales(bounds));
  const scales = useMemo(() => JSON.parse(grouping) as number[], [grouping]);

  const words = wordsOf(picture, newest, cursor);
  const marked = useMemo(() => markedAt(picture, cursor), [picture, cursor]);

  const look = (next: TimeSpan) => onChoose(next.from === whole.from && next.to === whole.to ? null : next);
  const window = chosen ?? whole;
  const middle = cursor ?? (window.from + window.to) / 2;
  const closer = () => look(zoom(window, 0.5, middle, whole));
  useShortcuts({
    ArrowLeft: () => look(pan(window, -STEP, whole)),
    ArrowRight: () => look(pan(window, STEP, whole)),
    // Layouts differ in whether "+" needs Shift.
    plus: closer,
    'shift+plus': closer,
    minus: () => look(zoom(window, 2, middle, whole)),
    '0': () => onChoose(null),
  });

  return (
    <>
      <Readout keys={keys} looks={looks} colors={colors} words={words} isNewest={cursor === null} />
      <div
        className={classes['chart']}
        role="group"
        aria-label={`Chart of ${keys.join(', ')} over time. Arrow keys move, plus and minus zoom, 0 shows everything.`}
        tabIndex={0}
      >
        {drawing && (
          <div className={classes['plot']}>
            <TimeChart
              keys={keys}
              scales={scales}
              looks={looks}
              colors={colors}
              drawing={drawing}
              window={{ from, to }}
              marked={marked}
              onWidth={setWidth}
              onCursor={setCursor}
              onSelect={(start, end) => look(selected(start, end, whole))}
              onReset={() => onChoose(null)}
            />
          </div>
        )}
        {drawing && data.state === 'ready' && isBlank(drawing, { from, to }) && (
          <Text role="status" c="dimmed" className={classes['blank'] ?? ''}>
            These keys have no numbers in this span. Reset shows everything.
          </Text>
        )}
      </div>
    </>
  );
}
