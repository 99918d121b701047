import { Button, Divider, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconCalendarTime, IconChevronDown } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import type { Micros } from '#shared/values/time.ts';
import { formatTime, localZone, nowMicros, zoneOffset, type Zone } from '../../time.ts';
import { ALL, isRange, labelOfRange, rangeOfSpan, RANGES, type Range } from '../time/range.ts';
import { parseAgo, parseTimeEntry, TIME_ENTRY_RULE } from '../time/time-entry.ts';
import type { TimeSpan } from '../time/window.ts';

/** What a chart is asked for: a range, and of it a window; null is all of it. */
export interface RangeView {
  readonly range: Range;
  readonly window: TimeSpan | null;
}

interface RangeMenuProps {
  readonly view: RangeView;
  /** What is seen at the moment; null where there is nothing. */
  readonly seen: TimeSpan | null;
  readonly zone: Zone;
  readonly onView: (view: RangeView) => void;
  readonly onZone: (zone: Zone) => void;
}

/** Which time a chart shows: ranges up to now, two times as people write them, and by whose clock. */
export function RangeMenu(props: RangeMenuProps) {
  const { view, seen, zone, onView, onZone } = props;
  const [isOpen, setOpen] = useState(false);
  const choose = (next: RangeView) => {
    setOpen(false);
    onView(next);
  };
  const at = seen?.from ?? nowMicros();
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus withinPortal returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          data-opens
          aria-label={`Range: ${labelOf(view, zone)}`}
          leftSection={<IconCalendarTime size={16} />}
          rightSection={<IconChevronDown size={14} />}
          onClick={() => setOpen(!isOpen)}
          styles={{ label: { fontVariantNumeric: 'tabular-nums' } }}
        >
          {labelOf(view, zone)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Group align="flex-start" gap="md" wrap="nowrap">
          <Stack gap={2}>
            {RANGES.map(({ value, label }) => {
              const isShown = view.window === null && view.range === value;
              return (
                <Button
                  key={value}
                  size="compact-sm"
                  variant={isShown ? 'light' : 'subtle'}
                  justify="flex-start"
                  aria-pressed={isShown}
                  onClick={() => choose({ range: value, window: null })}
                >
                  {label}
                </Button>
              );
            })}
          </Stack>
          <Divider orientation="vertical" />
          <Stack gap="xs" w={260}>
            <Entries key={`${at}${zone}`} seen={seen} zone={zone} view={view} onView={choose} />
            <Divider />
            <Text size="xs" c="dimmed">
              {zone === 'utc' ? 'Times are in UTC.' : `Times are in ${localZone()}, ${zoneOffset(at)}.`}
            </Text>
            <Button
              size="compact-sm"
              variant="subtle"
              justify="flex-start"
              onClick={() => onZone(zone === 'utc' ? 'local' : 'utc')}
            >
              {zone === 'utc' ? `Show local time (${localZone()})` : 'Show UTC'}
            </Button>
          </Stack>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

interface EntriesProps {
  readonly view: RangeView;
  readonly seen: TimeSpan | null;
  readonly zone: Zone;
  readonly onView: (view: RangeView) => void;
}

function Entries({ view, seen, zone, onView }: EntriesProps) {
  const isMoving = view.window === null && view.range !== ALL;
  const [from, setFrom] = useState(isMoving ? `-${view.range}` : entryOf(seen?.from, zone));
  const [to, setTo] = useState(isMoving ? 'now' : entryOf(seen?.to, zone));
  const [problem, setProblem] = useState<{ readonly field: 'from' | 'to'; readonly text: string } | null>(
    null,
  );
  const show = (event: FormEvent) => {
    event.preventDefault();
    const found = viewOf(from, to, zone);
    if ('view' in found) return onView(found.view);
    setProblem(found);
  };
  const field = (name: 'from' | 'to', label: string, value: string, set: (text: string) => void) => (
    <TextInput
      size="xs"
      label={label}
      value={value}
      autoComplete="off"
      spellCheck={false}
      // What is typed takes the place of what is shown.
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        set(event.currentTarget.value);
        setProblem(null);
      }}
      error={problem?.field === name ? problem.text : null}
    />
  );
  return (
    <form onSubmit={show} noValidate>
      <Stack gap={6}>
        {field('from', 'From', from, setFrom)}
        {field('to', 'To', to, setTo)}
        <Group justify="space-between" wrap="nowrap">
          <Text size="xs" c="dimmed">
            -6h, yesterday, now, dates
          </Text>
          <Button type="submit" size="compact-sm">
            Show
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Found = { readonly view: RangeView } | { readonly field: 'from' | 'to'; readonly text: string };

/** What two entries ask for, or which of them is wrong. */
export function viewOf(from: string, to: string, zone: Zone, now: Micros = nowMicros()): Found {
  const ago = parseAgo(from);
  const moving = ago !== null && to.trim().toLowerCase() === 'now' ? rangeOfSpan(ago) : null;
  if (moving !== null && isRange(moving)) return { view: { range: moving, window: null } };
  const start = parseTimeEntry(from, { now, zone, side: 'from' });
  if (start === null) return { field: 'from', text: TIME_ENTRY_RULE };
  const end = parseTimeEntry(to, { now, zone, side: 'to' });
  if (end === null) return { field: 'to', text: TIME_ENTRY_RULE };
  if (end <= start) return { field: 'to', text: `Must lie after ${formatTime(start, zone)}.` };
  return { view: { range: ALL, window: { from: start, to: end } } };
}

/** A time as it is typed again, to the second. */
function entryOf(instant: number | undefined, zone: Zone): string {
  return instant === undefined ? '' : formatTime(Math.round(instant / 1e6) * 1e6, zone);
}

function labelOf({ range, window }: RangeView, zone: Zone): string {
  if (window === null) return labelOfRange(range);
  const [from, to] = [window.from, window.to].map((at) => formatTime(Math.round(at / 1e6) * 1e6, zone));
  const isShort = window.to - window.from < 120e6;
  const cut = (text = '') => (isShort ? text : text.slice(0, 16));
  // The day and the year are not said again.
  const [day, year] = [10, 4].map((length) => from?.slice(0, length) === to?.slice(0, length));
  return `${cut(from)} – ${cut(to).slice(day ? 11 : year ? 5 : 0)}`;
}
