import { Box, Button, Group, Select, useComputedColorScheme } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconZoomReset } from '@tabler/icons-react';
import {
  memo,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  type PropsWithChildren,
} from 'react';
import { bridge } from '../../../bridge/bridge.ts';
import { RANGES, type ChartAddress, type Range } from '../../../chart/address.ts';
import {
  cancelChart,
  followChart,
  leaveChart,
  loadChart,
  reloadChart,
  useChartData,
} from '../../../chart/data.ts';
import type { ChartQuery } from '../../../chart/loader.ts';
import { chartColors, lookOf } from '../../../chart/palette.ts';
import type { TimeSpan } from '../../../chart/window.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { WorkProgress } from '../../../components/work/work-progress.tsx';
import { countOf, formatCount } from '../../../format.ts';
import type { DeviceDetail } from '../../../stores/devices.ts';
import { ChartEmpty } from './chart-empty.tsx';
import { ChartFar } from './chart-far.tsx';
import classes from './chart-panel.module.css';
import { defaultKeys } from './default-keys.ts';
import { whyEmpty } from './empty-reason.ts';
import { KeyPicker } from './key-picker.tsx';
import { LiveChart } from './live-chart.tsx';
import { useChartAddress } from './use-chart-address.ts';

interface ChartPanelProps {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  /** What the address says. */
  readonly chart: ChartAddress;
  readonly onImport: () => void;
}

/** A device's numbers over time: chosen keys and range, how far loading is, and why there may be nothing. */
export function ChartPanel({ project_id, detail: { device, summary }, chart, onImport }: ChartPanelProps) {
  const numeric = useMemo(
    () => summary.keys.filter((key) => key.numeric > 0).map(({ key }) => key),
    [summary.keys],
  );
  const [drawn, setDrawn] = useState<readonly string[]>([]);
  const device_id = device.id;
  const [{ keys: picked, range = 'all', window: chosen = null, far: isFarShown = false }, change] =
    useChartAddress({ project_id, device_id, chart });
  const { state, whole, far, points, total, error } = useChartData();
  const defaults = defaultKeys(drawn, numeric);
  if (defaults.join() !== drawn.join()) setDrawn(defaults);
  // As text, so that the same keys do not load twice.
  const question = JSON.stringify(keysOf(picked, numeric, defaults));
  const keys = useMemo(() => JSON.parse(question) as readonly string[], [question]);
  const [known] = useState(() => new Map<string, number>());
  const looks = useMemo(() => lookOf(keys, numeric, known), [keys, numeric, known]);
  const colors = chartColors(useComputedColorScheme('light'));
  const hasRecords = summary.records > 0;
  const drawable = hasRecords && keys.length > 0;
  const load = useEffectEvent((query: ChartQuery) => loadChart(query, summary));
  useEffect(() => {
    if (!drawable) return;
    const span = RANGES.find(({ value }) => value === range)?.span ?? null;
    load({
      project_id,
      device_id,
      keys,
      far: isFarShown,
      ...(span !== null && { span }),
    });
    return leaveChart;
  }, [project_id, device_id, keys, range, isFarShown, drawable]);
  useEffect(() => followChart(summary), [summary]);
  useEffect(
    () => bridge.subscribe('records.removed', reloadChart, { project_id, device_id }),
    [project_id, device_id],
  );

  const pick = useCallback((next: string[]) => change({ keys: next }), [change]);
  const show = useCallback((next: Range) => change({ range: next, window: null }), [change]);
  const look = useCallback((next: TimeSpan | null) => change({ window: next }), [change]);
  const reason = whyEmpty(summary, {
    nothing: state === 'ready' && whole === null,
    range: range === 'all' ? null : (RANGES.find(({ value }) => value === range)?.label ?? null),
    keys: keys.length,
  });
  const canReset = chosen !== null && reason === null;
  return (
    <Box
      className={classes['panel'] ?? ''}
      data-testid="chart"
      data-state={reason ? 'empty' : state}
      data-points={reason ? 0 : points}
    >
      {hasRecords && (
        <Group justify="space-between" gap="sm" align="flex-start" wrap="nowrap">
          <KeyPicker keys={numeric} picked={keys} looks={looks} colors={colors} onPick={pick} />
          <Group gap="xs" wrap="nowrap">
            <RangePicker range={range} onPick={show} />
            <Button
              variant="default"
              leftSection={<IconZoomReset size={16} />}
              // A button that is disabled loses the focus, which it has when it was pressed by the keyboard.
              {...(!canReset && { 'data-disabled': true, 'aria-disabled': true })}
              onClick={() => canReset && look(null)}
            >
              Reset
            </Button>
          </Group>
        </Group>
      )}
      {reason ? (
        <ChartEmpty reason={reason} onImport={onImport} onShowAll={() => show('all')} />
      ) : (
        <>
          {error !== null && <Problem message={error} onRetry={reloadChart} />}
          {far && (
            <ChartFar far={far} isShown={isFarShown} onShow={(next) => change({ far: next, window: null })} />
          )}
          <LiveChart keys={keys} looks={looks} colors={colors} chosen={chosen} onChoose={look} />
          {state === 'loading' && (
            <Patiently>
              <WorkProgress
                label="Loading records"
                done={points}
                total={total}
                format={(rows) => formatCount(rows)}
                onCancel={cancelChart}
              />
            </Patiently>
          )}
          {state === 'cancelled' && (
            <Group gap="sm">
              {total === null
                ? 'Cancelled.'
                : `Cancelled: the newest ${countOf(points, 'record')} of ${formatCount(total)} are shown.`}
              <Button size="compact-sm" variant="default" onClick={reloadChart}>
                Load all
              </Button>
            </Group>
          )}
        </>
      )}
    </Box>
  );
}

/** The keys to draw: those that were picked, as far as there are any, else those that a chart begins with. */
function keysOf(
  picked: readonly string[] | undefined,
  numeric: readonly string[],
  defaults: readonly string[],
): readonly string[] {
  if (!picked) return defaults;
  const found = picked.filter((key) => numeric.includes(key));
  return found.length === 0 && picked.length > 0 ? defaults : found;
}

interface RangePickerProps {
  readonly range: Range;
  readonly onPick: (range: Range) => void;
}

/** It stays as it is while the chart below it changes. */
const RangePicker = memo(function RangePicker({ range, onPick }: RangePickerProps) {
  return (
    <Select
      aria-label="Range"
      data={RANGES.map(({ value, label }) => ({ value, label }))}
      value={range}
      onChange={(value) => onPick(value ?? 'all')}
      allowDeselect={false}
      w={150}
    />
  );
});

const PATIENCE_MS = 300;

/** Shows itself after a while: what goes away before that would only flash. */
function Patiently({ children }: PropsWithChildren) {
  const [isDue, setIsDue] = useState(false);
  useTimeout(() => setIsDue(true), PATIENCE_MS, { autoInvoke: true });
  return isDue && children;
}
