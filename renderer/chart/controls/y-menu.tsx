import { Button, Divider, Group, Popover, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowAutofitHeight, IconChevronDown } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { readNumber } from '../../read-number.ts';
import { Y_MODES, type AxisSpan, type YMode } from '../scale/y-mode.ts';

/** An axis that can be given its ends by hand. */
export interface FixableAxis {
  /** As the address names it. */
  readonly id: string;
  readonly label: string;
  /** What it reaches over at the moment. */
  readonly span: AxisSpan | null;
}

interface YMenuProps {
  readonly mode: YMode;
  readonly axes: readonly FixableAxis[];
  readonly fixed: Readonly<Record<string, AxisSpan>>;
  readonly onMode: (mode: YMode) => void;
  /** Null gives the ends of an axis back to the mode. */
  readonly onFix: (axis: string, span: AxisSpan | null) => void;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** What the value axes reach over. */
export function YMenu({ mode, axes, fixed, onMode, onFix, isOpen, onOpen }: YMenuProps) {
  const label = Y_MODES.find(({ value }) => value === mode)?.label ?? '';
  const isFixed = Object.keys(fixed).length > 0;
  return (
    <Popover opened={isOpen} onChange={onOpen} position="bottom-start" trapFocus withinPortal returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconArrowAutofitHeight size={16} />}
          rightSection={<IconChevronDown size={14} />}
          data-opens
          onClick={() => onOpen(!isOpen)}
          aria-label={`y: ${isFixed ? 'Fixed' : label} (value axes)`}
        >
          y: {isFixed ? 'Fixed' : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah="80vh" style={{ overflowY: 'auto' }}>
        <Stack gap="xs" w={280}>
          <Radio.Group
            aria-label="What the value axes reach over"
            value={mode}
            onChange={(value) => {
              const found = Y_MODES.find((known) => known.value === value);
              if (found) onMode(found.value);
            }}
          >
            <Stack gap={6}>
              {Y_MODES.map(({ value, label: name, about }) => (
                <Radio key={value} size="xs" value={value} label={name} description={about} />
              ))}
            </Stack>
          </Radio.Group>
          <Divider />
          <Text size="xs" c="dimmed">
            Fixed: from and to, an axis each. The wheel over an axis does the same.
          </Text>
          {axes.map((axis) => (
            <FixedEntry
              key={`${axis.id} ${JSON.stringify(fixed[axis.id] ?? null)}`}
              axis={axis}
              fixed={fixed[axis.id] ?? null}
              onFix={(span) => onFix(axis.id, span)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface FixedEntryProps {
  readonly axis: FixableAxis;
  readonly fixed: AxisSpan | null;
  readonly onFix: (span: AxisSpan | null) => void;
}

const ENTRY_RULE = 'Takes two numbers, the smaller one first.';

function FixedEntry({ axis, fixed, onFix }: FixedEntryProps) {
  const [low, setLow] = useState(fixed ? String(fixed[0]) : '');
  const [high, setHigh] = useState(fixed ? String(fixed[1]) : '');
  const [problem, setProblem] = useState<string | null>(null);
  const fix = (event: FormEvent) => {
    event.preventDefault();
    const [from, to] = [readNumber(low), readNumber(high)];
    if ('number' in from && 'number' in to && from.number < to.number) return onFix([from.number, to.number]);
    const [unclear] = [from, to].flatMap((read) =>
      'problem' in read && read.isUnclear ? [read.problem] : [],
    );
    setProblem(unclear ?? ENTRY_RULE);
  };
  const entry = (name: string, value: string, set: (text: string) => void, shown: number | undefined) => (
    <TextInput
      size="xs"
      flex={1}
      aria-label={`${axis.label}: ${name}`}
      placeholder={shown === undefined ? '' : String(Number(shown.toPrecision(6)))}
      inputMode="decimal"
      value={value}
      error={problem !== null}
      onChange={(event) => {
        set(event.currentTarget.value);
        setProblem(null);
      }}
    />
  );
  return (
    <form onSubmit={fix} noValidate>
      <Text size="xs" fw={500} truncate title={axis.label}>
        {axis.label}
      </Text>
      <Group gap={6} wrap="nowrap">
        {entry('from', low, setLow, axis.span?.[0])}
        {entry('to', high, setHigh, axis.span?.[1])}
        <Button type="submit" size="compact-sm" variant="default">
          Fix
        </Button>
        {fixed && (
          <Button size="compact-sm" variant="subtle" onClick={() => onFix(null)}>
            Free
          </Button>
        )}
      </Group>
      {problem !== null && (
        <Text size="xs" c="danger" role="alert">
          {problem}
        </Text>
      )}
    </form>
  );
}
