import { Button, Divider, Group, Popover, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowAutofitHeight, IconChevronDown } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
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
}

/** What the value axes reach over. */
export function YMenu({ mode, axes, fixed, onMode, onFix }: YMenuProps) {
  const label = Y_MODES.find(({ value }) => value === mode)?.label ?? '';
  const isFixed = Object.keys(fixed).length > 0;
  return (
    <Popover position="bottom-start" trapFocus withinPortal returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconArrowAutofitHeight size={16} />}
          rightSection={<IconChevronDown size={14} />}
          data-opens
          aria-label={`y: ${isFixed ? 'Fixed' : label} (value axes)`}
        >
          y: {isFixed ? 'Fixed' : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
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
  const [isWrong, setWrong] = useState(false);
  const fix = (event: FormEvent) => {
    event.preventDefault();
    const span = [numberOf(low), numberOf(high)] as const;
    const isSpan = span[0] < span[1];
    setWrong(!isSpan);
    if (isSpan) onFix(span);
  };
  const entry = (name: string, value: string, set: (text: string) => void, shown: number | undefined) => (
    <TextInput
      size="xs"
      flex={1}
      aria-label={`${axis.label}: ${name}`}
      placeholder={shown === undefined ? '' : String(Number(shown.toPrecision(6)))}
      inputMode="decimal"
      value={value}
      error={isWrong}
      onChange={(event) => {
        set(event.currentTarget.value);
        setWrong(false);
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
      {isWrong && (
        <Text size="xs" c="danger" role="alert">
          {ENTRY_RULE}
        </Text>
      )}
    </form>
  );
}

/** NaN for what is no number; a comma may stand for the decimal point. */
function numberOf(text: string): number {
  const written = text.trim().replace('−', '-').replace(',', '.');
  return written === '' ? Number.NaN : Number(written);
}
