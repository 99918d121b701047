import { Chip, Group, MultiSelect } from '@mantine/core';
import { memo } from 'react';

interface KeyPickerProps {
  /** The keys that carry numbers. */
  readonly keys: readonly string[];
  readonly picked: readonly string[];
  readonly onPick: (keys: string[]) => void;
}

/** As many keys as a glance takes in; with more a list that can be searched is quicker. */
const MOST_CHIPS = 10;
/** Lines that can be told apart. */
const MOST_PICKED = 8;

/** Chooses the keys to draw, in the order of the list. It stays as it is while the chart around it changes. */
export const KeyPicker = memo(function KeyPicker({ keys, picked, onPick }: KeyPickerProps) {
  const pick = (chosen: readonly string[]) => onPick(keys.filter((key) => chosen.includes(key)));
  if (keys.length > MOST_CHIPS)
    return (
      <MultiSelect
        aria-label="Keys"
        placeholder="Add a key"
        data={[...keys]}
        value={[...picked]}
        onChange={pick}
        maxValues={MOST_PICKED}
        searchable
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
          {key}
        </Chip>
      ))}
    </Group>
  );
});
