import { Chip, Group, MultiSelect, Pill } from '@mantine/core';
import { memo } from 'react';
import { matches } from '#shared/text.ts';
import type { ChartColors } from '../../../chart/palette.ts';
import { formatCount } from '../../../format.ts';
import { KeyName } from '../../../components/facts/key-name.tsx';
import classes from './chart-panel.module.css';
import { LineSwatch } from './line-swatch.tsx';

interface KeyPickerProps {
  /** The keys that carry numbers. */
  readonly keys: readonly string[];
  readonly picked: readonly string[];
  /** The look of each picked key's line (palette.ts). */
  readonly looks: readonly number[];
  readonly colors: ChartColors;
  readonly onPick: (keys: string[]) => void;
}

/** As many keys as a glance takes in; with more a list that can be searched is quicker. */
const MOST_CHIPS = 10;
/** Options that are drawn at once: all of four thousand keep the window busy for a second. The rest is searched. */
const MOST_OPTIONS = 100;
/** Lines that can be told apart. */
const MOST_PICKED = 8;

/** Chooses the keys to draw, in the order of the list. It stays as it is while the chart around it changes. */
export const KeyPicker = memo(function KeyPicker({ keys, picked, looks, colors, onPick }: KeyPickerProps) {
  const pick = (chosen: readonly string[]) => onPick(keys.filter((key) => chosen.includes(key)));
  const swatch = (key: string) => {
    const look = looks[picked.indexOf(key)];
    return look === undefined ? null : <LineSwatch look={look} colors={colors} />;
  };
  if (keys.length > MOST_CHIPS)
    return (
      <MultiSelect
        aria-label="Keys"
        placeholder={keys.length > MOST_OPTIONS ? `Search ${formatCount(keys.length)} keys` : 'Add a key'}
        data={[...keys]}
        value={[...picked]}
        onChange={pick}
        maxValues={MOST_PICKED}
        searchable
        filter={({ options, search }) =>
          options
            .filter((option) => 'value' in option && matches(search, option.value))
            .slice(0, MOST_OPTIONS)
        }
        nothingFoundMessage="No key matches."
        renderPill={({ option, onRemove, disabled }) => {
          const key = String(option.value);
          return (
            <Pill withRemoveButton {...(onRemove && { onRemove })} disabled={disabled ?? false}>
              <span className={classes['name']}>
                {swatch(key)}
                <KeyName name={key} />
              </span>
            </Pill>
          );
        }}
        flex={1}
        maw={720}
      />
    );
  return (
    <Group gap={6} role="group" aria-label="Keys" mih={36}>
      {keys.map((key) => (
        <Chip
          key={key}
          size="xs"
          variant="outline"
          checked={picked.includes(key)}
          onChange={(checked) => pick(checked ? [...picked, key] : picked.filter((other) => other !== key))}
        >
          <span className={classes['name']}>
            {swatch(key)}
            <KeyName name={key} />
          </span>
        </Chip>
      ))}
    </Group>
  );
});
