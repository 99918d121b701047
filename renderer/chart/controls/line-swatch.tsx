import { lineDash, type ChartColors } from '../plot/palette.ts';

interface LineSwatchProps {
  readonly look: number;
  readonly colors: ChartColors;
}

/** As long as the longest dash with the beginning of the next: a dashed line looks like one. */
const WIDTH = 32;
const HEIGHT = 10;

/** A piece of a key's line as the chart draws it. */
export function LineSwatch({ look, colors }: LineSwatchProps) {
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden style={{ flex: 'none', alignSelf: 'center' }}>
      <line
        x1={0}
        x2={WIDTH}
        y1={HEIGHT / 2}
        y2={HEIGHT / 2}
        stroke={colors.line(look)}
        strokeWidth={2.5}
        strokeDasharray={lineDash(look).join(' ')}
      />
    </svg>
  );
}
