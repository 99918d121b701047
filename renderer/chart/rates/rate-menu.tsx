import { ActionIcon, NativeSelect, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import { useState } from 'react';
import { isWrap, type Falls, type Rate } from '#shared/domain/rates.ts';
import { formatCount } from '../../format.ts';
import { readNumber } from '../../read-number.ts';
import classes from '../controls/legend/legend.module.css';
import { likelyFalls, likelyWrap, PER_TIMES } from './rate.ts';

interface RateMenuProps {
  /** What people call the key. */
  readonly name: string;
  /** Null: as it is stored. */
  readonly rate: Rate | null;
  /** The largest number that the key had so far. */
  readonly largest: number;
  readonly onRate: (rate: Rate | null) => void;
}

const STORED = 'stored';
const SHOWN = [
  { value: STORED, label: 'As stored' },
  ...PER_TIMES.map(({ value, label }) => ({ value, label: `Difference per ${label}` })),
];
const FALLS = [
  { value: 'reset', label: 'It began anew (reset)' },
  { value: 'wrap', label: 'It wrapped, or began anew' },
  { value: 'fall', label: 'It fell: it is no counter' },
];

/** How a key is shown: as it is stored, or as the difference per time of a counter. */
export function RateMenu({ name, rate, largest, onRate }: RateMenuProps) {
  const falls = rate?.falls ?? 'reset';
  return (
    <Popover position="top-start" trapFocus withinPortal returnFocus>
      <Popover.Target>
        <ActionIcon
          size={22}
          variant={rate ? 'light' : 'subtle'}
          color={rate ? undefined : 'gray'}
          className={classes['rate'] ?? ''}
          aria-label={`How ${name} is shown`}
          title="As stored, or the difference per time"
        >
          <IconDotsVertical size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" w={280}>
          <NativeSelect
            size="xs"
            label="Shown"
            data={SHOWN}
            value={rate?.per ?? STORED}
            onChange={({ currentTarget: { value } }) => {
              const per = PER_TIMES.find((known) => known.value === value)?.value;
              onRate(per ? { per, falls: rate?.falls ?? likelyFalls(largest) } : null);
            }}
          />
          {rate && (
            <NativeSelect
              size="xs"
              label="Where it falls"
              data={FALLS}
              value={typeof falls === 'number' ? 'wrap' : falls}
              onChange={({ currentTarget: { value } }) =>
                onRate({
                  ...rate,
                  falls: value === 'reset' || value === 'fall' ? value : likelyWrap(largest),
                })
              }
            />
          )}
          {rate && typeof falls === 'number' && (
            <WrapEntry key={falls} wrap={falls} onWrap={(wrap) => onRate({ ...rate, falls: wrap })} />
          )}
          {rate && (
            <Text size="xs" c="dimmed">
              {wordsOf(falls)}
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function wordsOf(falls: Falls): string {
  if (falls === 'fall') return 'Every difference counts, also a negative one.';
  if (falls === 'reset') return 'Of the time in which it began anew nothing is shown.';
  return `It wrapped where counting on past ${formatCount(falls)} to the new number is less than half of that. Else it began anew, and nothing is shown of that time.`;
}

const WRAP_RULE = 'Takes a whole number of at least 2, such as 65536 for 16 bits.';

function WrapEntry({ wrap, onWrap }: { readonly wrap: number; readonly onWrap: (wrap: number) => void }) {
  const [text, setText] = useState(String(wrap));
  const [problem, setProblem] = useState<string | null>(null);
  const take = () => {
    const read = readNumber(text);
    if ('number' in read && isWrap(read.number)) return onWrap(read.number);
    setProblem('problem' in read && read.isUnclear ? read.problem : WRAP_RULE);
  };
  return (
    <TextInput
      size="xs"
      label="Wraps at"
      description="16 bits: 65536; 32 bits: 4294967296"
      inputMode="numeric"
      value={text}
      error={problem}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        setProblem(null);
      }}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  );
}
