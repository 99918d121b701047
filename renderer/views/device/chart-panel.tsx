import { Box, Button, Group, Select } from '@mantine/core';
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
import type { TimeWindow } from '../../chart/window.ts';
import { bridge } from '../../bridge/bridge.ts';
import { Problem } from '../../components/problem.tsx';
import { WorkProgress } from '../../components/work-progress.tsx';
import { countOf, formatCount } from '../../format.ts';
import {
  cancelChart,
  followChart,
  leaveChart,
  loadChart,
  reloadChart,
  useChartData,
} from '../../stores/chart-data.ts';
import type { ChartQuery } from '../../stores/chart-loader.ts';
import type { DevicePage } from '../../stores/devices.ts';
import { nowMicros } from '../../time.ts';
import { ChartEmpty } from './chart-empty.tsx';
import classes from './chart-panel.module.css';
import { defaultKeys } from './default-keys.ts';
import { whyEmpty } from './empty-reason.ts';
import { KeyPicker } from './key-picker.tsx';
import { LiveChart } from './live-chart.tsx';

interface ChartPanelProps {
  readonly project_id: string;
  readonly page: DevicePage;
  readonly onImport: () => void;
}

const HOUR_US = 3_600e6;
const RANGES = [
  { value: 'all', label: 'All time', span: null },
  { value: '30d', label: 'Last 30 days', span: 720 * HOUR_US },
  { value: '7d', label: 'Last 7 days', span: 168 * HOUR_US },
  { value: '24h', label: 'Last 24 hours', span: 24 * HOUR_US },
  { value: '1h', label: 'Last hour', span: HOUR_US },
] as const;

type Range = (typeof RANGES)[number]['value'];

/** A device's numbers over time: chosen keys and range, how far loading is, and why there may be nothing. */
export function ChartPanel({ project_id, page: { device, summary }, onImport }: ChartPanelProps) {
  const numeric = useMemo(
    () => summary.keys.filter((key) => key.numeric > 0).map(({ key }) => key),
    [summary.keys],
  );
  const [drawn, setDrawn] = useState<readonly string[]>([]);
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const [range, setRange] = useState<Range>('all');
  const [chosen, setChosen] = useState<TimeWindow | null>(null);
  const { state, whole, points, total, error } = useChartData();
  const defaults = defaultKeys(drawn, numeric);
  if (defaults.join() !== drawn.join()) setDrawn(defaults);
  // As text, so that the same keys do not load twice.
  const question = JSON.stringify((picked ?? defaults).filter((key) => numeric.includes(key)));
  const keys = useMemo(() => JSON.parse(question) as readonly string[], [question]);
  const device_id = device.id;
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
      ...(span !== null && { start: nowMicros() - span }),
    });
    return leaveChart;
  }, [project_id, device_id, keys, range, drawable]);
  useEffect(() => followChart(summary), [summary]);
  useEffect(
    () => bridge.subscribe('records.removed', (event) => event.device_id === device_id && reloadChart()),
    [device_id],
  );

  const show = useCallback((next: Range) => {
    setRange(next);
    setChosen(null);
  }, []);
  const reason = whyEmpty(summary, {
    nothing: state === 'ready' && whole === null,
    range: range === 'all' ? null : (RANGES.find(({ value }) => value === range)?.label ?? null),
    keys: keys.length,
  });
  return (
    <Box
      className={classes['panel'] ?? ''}
      data-testid="chart"
      data-state={reason ? 'empty' : state}
      data-points={reason ? 0 : points}
    >
      {hasRecords && (
        <Group justify="space-between" gap="sm" align="flex-start">
          <KeyPicker keys={numeric} picked={keys} onPick={setPicked} />
          <Group gap="xs">
            <RangePicker range={range} onPick={show} />
            <Button
              variant="default"
              leftSection={<IconZoomReset size={16} />}
              disabled={chosen === null || reason !== null}
              onClick={() => setChosen(null)}
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
          <LiveChart keys={keys} chosen={chosen} onChoose={setChosen} />
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
