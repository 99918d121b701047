import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState, type KeyboardEvent, type RefObject } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { useShortcuts } from '../../../components/screen/use-shortcuts.ts';
import {
  conditionText,
  filterText,
  parseFilter,
  toggled,
  type Condition,
  type DeviceFilter,
} from '../shown/device-filter.ts';
import { FilterMenu } from './filter-menu.tsx';

/** Text in the field while it is typed. */
interface Draft {
  readonly text: string;
  /** The filter that it made, as text, and its conditions in that, which are no chips yet. */
  readonly of: string;
  readonly conditions: readonly string[];
}

interface FilterBarProps {
  readonly devices: readonly FoundDevice[];
  readonly filter: DeviceFilter;
  readonly onChange: (filter: DeviceFilter) => void;
  /** Goes down to the first row. */
  readonly onDown: () => void;
  readonly input: RefObject<HTMLInputElement | null>;
}

/**
 * Filter of the list: words, and conditions that may be typed among them or chosen from menus; each then stands as a chip
 * that can be taken away.
 */
export function FilterBar({ devices, filter, onChange, onDown, input }: FilterBarProps) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const typed = draft?.of === filterText(filter) ? draft : null;
  const text = typed?.text ?? filter.words;
  const chips = filter.conditions.filter((each) => !typed?.conditions.includes(conditionText(each)));
  const focus = () => input.current?.focus();
  // Layouts differ in whether "/" needs Shift.
  useShortcuts({ slash: focus, 'shift+slash': focus });

  function type(next: string): void {
    const { conditions, words } = parseFilter(next);
    const texts = conditions.map(conditionText);
    const others = chips.filter((chip) => !texts.includes(conditionText(chip)));
    const of = { conditions: [...others, ...conditions], words };
    // A blank ends a condition, which then stands as a chip; until then it counts, but can still be changed.
    const isWhole = conditions.length > 0 && /\s$/.test(next);
    setDraft(isWhole ? null : { text: next, of: filterText(of), conditions: texts });
    onChange(of);
  }
  const settle = () => setDraft(null);
  const clear = () => {
    settle();
    onChange({ conditions: text === '' ? [] : chips, words: '' });
  };
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Escape') {
      clear();
    } else if (event.key === 'Enter') {
      settle();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      settle();
      onDown();
    } else if (event.key === 'Backspace' && text === '') {
      onChange({ ...filter, conditions: filter.conditions.slice(0, -1) });
    }
  }
  const choose = (field: Condition['field'], value: string, not = false) => {
    settle();
    onChange(toggled(filter, field, value, not));
  };
  return (
    <>
      <TextInput
        ref={input}
        type="search"
        aria-label="Search devices"
        placeholder="Search, or status:late tag:line-3"
        leftSection={<IconSearch size={16} />}
        rightSection={
          text ? (
            <CloseButton size="sm" aria-label="Clear search" onClick={clear} />
          ) : (
            <Kbd size="xs" aria-hidden>
              /
            </Kbd>
          )
        }
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={settle}
        flex="1 1 180px"
        maw={340}
      />
      <FilterMenu devices={devices} filter={filter} onChoose={choose} />
    </>
  );
}
