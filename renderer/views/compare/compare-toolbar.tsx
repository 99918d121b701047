import { Group, MultiSelect, SegmentedControl } from '@mantine/core';
import { matches } from '#shared/values/text.ts';
import { COMPARE_MODES, type CompareMode } from '../../chart/compare/modes.ts';
import type { Align } from '../../chart/compare/shift.ts';

/** Options that are drawn at once; the rest is searched. */
const MOST_OPTIONS = 100;

interface CompareToolbarProps {
  readonly keys: readonly string[];
  /** Keys that some of the devices have. */
  readonly known: readonly string[];
  /** Keys that are true or false: no line says what held when. */
  readonly states: readonly string[];
  readonly mostKeys: number;
  readonly mode: CompareMode;
  readonly align: Align;
  readonly nameOf: (key: string) => string;
  readonly onKeys: (keys: readonly string[]) => void;
  readonly onMode: (mode: CompareMode) => void;
  readonly onAlign: (align: Align) => void;
}

const ON_ITS_OWN = 'a state, on the chart of each device';

const ALIGNS = [
  { value: 'time', label: 'By time' },
  { value: 'start', label: 'From start' },
] as const satisfies readonly { readonly value: Align; readonly label: string }[];

/** What is compared, and how. */
export function CompareToolbar(props: CompareToolbarProps) {
  const { keys, known, states, mostKeys, mode, align, nameOf, onKeys, onMode, onAlign } = props;
  return (
    <Group gap="xs" wrap="nowrap">
      <MultiSelect
        aria-label="Keys to compare"
        placeholder={keys.length === 0 ? 'Choose a key' : ''}
        data={[
          ...known.map((key) => ({ value: key, label: nameOf(key) })),
          ...states.map((key) => ({ value: key, label: `${nameOf(key)}: ${ON_ITS_OWN}`, disabled: true })),
        ]}
        value={[...keys]}
        onChange={onKeys}
        maxValues={mostKeys}
        searchable
        hidePickedOptions
        filter={({ options, search }) =>
          options
            .filter((option) => 'value' in option && matches(search, `${option.value} ${option.label}`))
            .slice(0, MOST_OPTIONS)
        }
        nothingFoundMessage="No key matches."
        w={220}
        // One key and the place to type stand on one line.
        styles={{ inputField: { minWidth: 40 } }}
      />
      <SegmentedControl
        aria-label="How they are compared"
        data={[...COMPARE_MODES]}
        value={mode}
        onChange={onMode}
      />
      <SegmentedControl aria-label="Whose time" data={[...ALIGNS]} value={align} onChange={onAlign} />
    </Group>
  );
}
