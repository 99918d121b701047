import { Button, Checkbox, Group, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { matches } from '#shared/values/text.ts';
import { KeyName } from '../../../components/facts/key-name.tsx';
import { formatCount } from '../../../format.ts';
import classes from './more-keys.module.css';

interface MoreKeysProps {
  /** The keys that carry numbers, in their order. */
  readonly keys: readonly string[];
  /** Those in the legend. */
  readonly picked: readonly string[];
  readonly nameOf: (key: string) => string;
  readonly onPick: (keys: readonly string[]) => void;
}

/** Keys that are a click away without searching. */
const MOST_BESIDE = 6;
/** Options that are drawn at once: all of four thousand keep the window busy for a second. The rest is searched. */
const MOST_OPTIONS = 100;
/** Lines that can be told apart. */
export const MOST_PICKED = 24;

/** The keys that are not in the legend: a few beside it, all of them in a list that can be searched. */
export function MoreKeys({ keys, picked, nameOf, onPick }: MoreKeysProps) {
  const others = keys.filter((key) => !picked.includes(key));
  const isFull = picked.length >= MOST_PICKED;
  const add = (key: string) => onPick([...picked, key]);
  // A low window has room for the list alone.
  const isLow = useMediaQuery('(max-height: 640px)', false, { getInitialValueInEffect: false });
  const beside = others.slice(0, isLow ? 0 : MOST_BESIDE);
  const hidden = others.length - beside.length;
  const isListed = keys.length > MOST_BESIDE || (isLow && others.length > 0);
  if (others.length === 0 && !isListed) return null;
  return (
    <Group gap="xs" role="group" aria-label="More keys">
      {beside.map((key) => (
        <button
          key={key}
          type="button"
          role="checkbox"
          aria-checked={false}
          className={classes['other']}
          disabled={isFull}
          onClick={() => add(key)}
        >
          <span className={classes['box']} aria-hidden />
          <KeyName name={nameOf(key)} />
        </button>
      ))}
      {isListed && (
        <AllKeys
          label={hidden > 0 ? `+ ${formatCount(hidden)} more…` : 'Choose keys…'}
          keys={keys}
          picked={picked}
          isFull={isFull}
          nameOf={nameOf}
          onPick={onPick}
        />
      )}
      {isFull && (
        <Text span size="xs" c="dimmed">
          {MOST_PICKED} lines are the most that can be told apart.
        </Text>
      )}
    </Group>
  );
}

interface AllKeysProps extends MoreKeysProps {
  /** Of its button. */
  readonly size?: 'compact-xs' | 'sm';
  readonly label: string;
  readonly isFull: boolean;
}

/** Which keys are in the legend, as a list that can be searched. */
export function AllKeys({ size = 'compact-xs', label, keys, picked, isFull, nameOf, onPick }: AllKeysProps) {
  const [search, setSearch] = useState('');
  const found = keys.filter((key) => matches(search, `${key} ${nameOf(key)}`));
  const ordered = [
    ...picked.filter((key) => found.includes(key)),
    ...found.filter((key) => !picked.includes(key)),
  ];
  const [only] = ordered;
  const toggle = (key: string) => {
    if (picked.includes(key)) onPick(picked.filter((other) => other !== key));
    else if (!isFull) onPick([...picked, key]);
  };
  return (
    <Popover position="top-start" trapFocus withinPortal hideDetached={false} onClose={() => setSearch('')}>
      <Popover.Target>
        <Button size={size} variant="default">
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" w={300}>
          <TextInput
            size="xs"
            aria-label="Search keys"
            placeholder={`Search ${formatCount(keys.length)} keys`}
            leftSection={<IconSearch size={14} />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            // What is left of a search is what was meant.
            onKeyDown={(event) =>
              event.key === 'Enter' && only !== undefined && ordered.length === 1 && toggle(only)
            }
            data-autofocus
          />
          <ScrollArea.Autosize mah={260} type="auto">
            <Stack gap={6} pr="xs">
              {ordered.slice(0, MOST_OPTIONS).map((key) => {
                const isPicked = picked.includes(key);
                return (
                  <Checkbox
                    key={key}
                    size="xs"
                    label={<KeyName name={nameOf(key)} />}
                    checked={isPicked}
                    disabled={isFull && !isPicked}
                    onChange={() => toggle(key)}
                  />
                );
              })}
            </Stack>
          </ScrollArea.Autosize>
          {found.length === 0 && <Text size="xs">No key matches.</Text>}
          {found.length > MOST_OPTIONS && (
            <Text size="xs" c="dimmed">
              {formatCount(found.length - MOST_OPTIONS)} more: search for them.
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
