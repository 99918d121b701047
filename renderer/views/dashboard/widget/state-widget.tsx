import { Text } from '@mantine/core';
import { memo, useEffect, useMemo, useState } from 'react';
import { parseInstant } from '#shared/values/time.ts';
import type { Compared } from '../../../chart/compare/compared.ts';
import { useChartColors } from '../../../chart/plot/use-chart-colors.ts';
import { StateStrips } from '../../../chart/states/state-strips.tsx';
import { spanOfRange } from '../../../chart/time/range.ts';
import { windowBetween, type TimeSpan } from '../../../chart/time/window.ts';
import { nameOfKey } from '../../../components/facts/key-words.ts';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { useCorrections } from '../../../stores/corrections.ts';
import { nowMicros } from '../../../time.ts';
import type { Span } from '../dashboard-address.ts';
import { useLive } from '../live/dashboard-live.ts';
import { grown } from './grown.ts';
import { useDevicesOf } from './live-summary.ts';
import type { WidgetViewProps } from './widget-view.ts';

/** Texts and booleans over time, as strips of states. */
export function StateWidget(props: WidgetViewProps) {
  const { project_id, sources } = props;
  const { devices, isKnown, error } = useDevicesOf(project_id, sources);
  return (
    <>
      {error !== null && <Problem message={error} />}
      {!isKnown && error === null && <Loading h={60} label="Loading the devices" />}
      {isKnown &&
        devices.map((device) => (
          <StatesOf key={device.device_id} {...props} device={device} named={devices.length > 1} />
        ))}
    </>
  );
}

interface StatesOfProps extends WidgetViewProps {
  readonly device: Compared;
  /** Whether it is to be told from others. */
  readonly named: boolean;
}

const StatesOf = memo(function StatesOf(props: StatesOfProps) {
  const { project_id, device, span, zone, settingsOf, named } = props;
  const { device_id, name, summary, only = [] } = device;
  const colors = useChartColors();
  const { revision } = useCorrections(project_id, device_id);
  const [key = ''] = only;
  const [live] = useLive(useMemo(() => [{ device_id, key }], [device_id, key]));
  const found = live?.device ?? null;
  const now = useTicks(span);
  const shown = useMemo(() => {
    const all = grown(summary, found);
    return { ...all, keys: all.keys.filter((one) => only.includes(one.key)) };
    // What comes is shown with the next tick: the window and what is in it change together.
    // oxlint-disable-next-line react/exhaustive-deps -- `found` is read at each tick
  }, [summary, only, now]);
  const window = useMemo(() => windowAt(span, shown, now), [span, shown, now]);
  return (
    <StateStrips
      project_id={project_id}
      device_id={device_id}
      summary={shown}
      through={{ view: 'corrected', revision }}
      window={window}
      zone={zone}
      colors={colors}
      nameOf={(of) => (named ? `${name} · ` : '') + nameOfKey(of, settingsOf(device_id, of))}
      empty={
        <Text size="sm" c="dimmed">
          {named ? `${name}: nothing` : 'Nothing'} that is a state was stored in this span.
        </Text>
      }
    />
  );
});

const LEAST_TICK_MS = 2_000;
const MOST_TICK_MS = 60_000;
/** A strip is about so many pixels wide. */
const STEPS = 600;

/** The present, looked at whenever about a pixel of a strip has passed: also of one that stands still, into which records come late. */
function useTicks({ range, window }: Span): number {
  const [now, setNow] = useState(nowMicros);
  const span = window ? window.to - window.from : spanOfRange(range);
  useEffect(() => {
    const step = span === null ? LEAST_TICK_MS : span / 1_000 / STEPS;
    const timer = setInterval(
      () => setNow(nowMicros()),
      Math.min(MOST_TICK_MS, Math.max(LEAST_TICK_MS, step)),
    );
    return () => clearInterval(timer);
  }, [span]);
  return now;
}

function windowAt(
  { range, window }: Span,
  summary: { readonly first: string | null; readonly last: string | null },
  now: number,
): TimeSpan | null {
  if (window !== null) return window;
  const span = spanOfRange(range);
  if (span !== null) return { from: now - span, to: now };
  const [first, last] = [parseInstant(summary.first ?? ''), parseInstant(summary.last ?? '')];
  return first === null || last === null ? null : windowBetween(first, last);
}
