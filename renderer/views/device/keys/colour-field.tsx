import { Input } from '@mantine/core';
import { useId } from 'react';
import { useChartColors } from '../../../chart/plot/use-chart-colors.ts';
import classes from './keys-panel.module.css';

interface ColourFieldProps {
  readonly value: number | null;
  readonly onChange: (colour: number | null) => void;
}

/** The slots of the palette as people call them, light and dark alike. */
const NAMES = ['Petrol', 'Orange', 'Violet', 'Green', 'Red', 'Blue', 'Brown', 'Grey'];
const SLOTS = [null, 0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Field for the colour of a key's line. */
export function ColourField({ value, onChange }: ColourFieldProps) {
  const colors = useChartColors();
  const name = useId();
  return (
    <Input.Wrapper label="Colour" labelElement="div">
      <div className={classes['colours']} role="radiogroup" aria-label="Colour">
        {SLOTS.map((slot) => (
          <label
            key={slot}
            className={classes['colour']}
            data-wide={slot === null}
            title={slot === null ? undefined : NAMES[slot]}
          >
            <input
              type="radio"
              className={classes['radio']}
              name={name}
              aria-label={slot === null ? 'Automatic' : NAMES[slot]}
              checked={value === slot}
              onChange={() => onChange(slot)}
            />
            {slot === null ? (
              'Automatic'
            ) : (
              <svg width={16} height={16} aria-hidden>
                <circle cx={8} cy={8} r={7} fill={colors.line(slot)} />
              </svg>
            )}
          </label>
        ))}
      </div>
    </Input.Wrapper>
  );
}
