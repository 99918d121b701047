import { useEffect, useEffectEvent } from 'react';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { useStatistics } from '../controls/legend/use-statistics.ts';
import type { ChartSource } from '../load/data.ts';
import type { TimeSpan } from '../time/window.ts';
import { useCorrections } from '../../stores/corrections.ts';
import { versionOf } from '../view.ts';
import type { Compared } from './compared.ts';

/** As the app shows devices everywhere. */
const VIEW = 'corrected';

interface DeviceSourceProps {
  readonly device: Compared;
  readonly source: ChartSource;
  readonly keys: readonly string[];
  /** Up to now, in µs; null is all time. */
  readonly span: number | null;
  /** What is looked at of the device's own time; null is all of it. */
  readonly asked: TimeSpan | null;
  /** The span that statistics are of, in the device's own time; null: none are asked. */
  readonly measured: TimeSpan | null;
  readonly width: number;
  readonly onStatistics: (device_id: string, statistics: ReadonlyMap<string, KeyStatistics>) => void;
}

/** Keeps the data of one compared device loaded, as a chart of it alone would. Draws nothing. */
export function DeviceSource(props: DeviceSourceProps) {
  const { device, source, keys, span, asked, measured, width, onStatistics } = props;
  const { project_id, device_id, summary } = device;
  const [from, to] = [asked?.from ?? null, asked?.to ?? null];
  // Before it is loaded, which begins with what is looked at.
  useEffect(
    () => source.look({ window: from === null || to === null ? null : { from, to }, width }),
    [source, from, to, width],
  );
  const question = JSON.stringify(keys);
  const load = useEffectEvent((drawn: readonly string[], last: number | null) =>
    source.load(
      { project_id, device_id, keys: drawn, view: VIEW, far: false, ...(last !== null && { span: last }) },
      summary,
    ),
  );
  useEffect(() => {
    const drawn = JSON.parse(question) as readonly string[];
    if (drawn.length > 0) load(drawn, span);
    return () => source.leave();
  }, [source, question, span]);
  useEffect(() => source.follow(summary), [source, summary]);
  const { revision } = useCorrections(project_id, device_id);
  const version = versionOf(summary.records, revision);
  const statistics = useStatistics({ project_id, device_id, keys, view: VIEW, window: measured, version });
  const tell = useEffectEvent(onStatistics);
  useEffect(() => tell(device_id, statistics), [device_id, statistics]);
  return null;
}
