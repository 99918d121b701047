import { memo, useId } from 'react';
import type { ChartColors } from '../plot/palette.ts';
import type { TimeSpan } from '../time/window.ts';
import { BAR_HEIGHT, labelsOf, pathsOf, xOf } from './strip-paths.ts';
import type { Strip } from './strip.ts';

interface StripBarProps {
  readonly strip: Strip;
  readonly window: TimeSpan;
  readonly width: number;
  readonly colors: ChartColors;
}

/** What a strip looks like on the screen. */
export const StripBar = memo(function StripBar({ strip, window, width, colors }: StripBarProps) {
  const id = useId();
  const { segments, last, paints } = strip;
  const x = xOf(window, width);
  const unsure = x(Math.max(last, window.from));
  const end = x(segments.at(-1)?.to ?? window.from);
  return (
    <>
      <defs>
        <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V4" stroke={colors.text} strokeWidth="2" opacity={paints ? 0.25 : 0.5} />
        </pattern>
      </defs>
      {pathsOf(segments, x).map(({ place, area, edges }) => {
        const paint = place === -1 ? 'hatched' : paints?.[place];
        const isHatched = paint === 'hatched';
        const color = isHatched
          ? colors.text
          : paint === 'warning'
            ? 'var(--app-warning)'
            : colors.line(place);
        return paint === 'plain' ? null : (
          <g key={place} data-place={place} data-word={strip.words[place]}>
            <path d={area} fill={isHatched ? `url(#${id})` : color} fillOpacity={isHatched ? 1 : 0.3} />
            <path d={edges} fill={color} />
          </g>
        );
      })}
      {end > unsure && (
        <rect
          x={unsure}
          width={end - unsure}
          height={BAR_HEIGHT}
          fill="var(--mantine-color-body)"
          fillOpacity={0.55}
        />
      )}
      {labelsOf(segments, x, { begin: 0, end: width }).map(({ index, x: left, text }) => (
        <text key={index} x={left} y={BAR_HEIGHT / 2 + 4} fontSize={12} fill="currentcolor">
          {text}
        </text>
      ))}
    </>
  );
});
