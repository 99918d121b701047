import { useMemo } from 'react';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { parseInstant } from '#shared/values/time.ts';
import type { AlarmBand, AlarmSpan } from '../../../chart/alarms/alarm-bands.ts';
import { AlarmBands } from '../../../chart/alarms/alarm-bands-overlay.tsx';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { alarmLine } from '../../../components/alarms/alarm-words.ts';
import { useNow } from '../../../components/facts/use-now.ts';
import { formatSpan } from '../../../format.ts';
import { goTo } from '../../../router.ts';
import { deviceAlarms } from '../../../stores/alarms/alarms.ts';
import { deviceKey } from '../../../stores/devices.ts';
import { useTriedSpans } from '../../../stores/rules/tried-spans.ts';

interface AlarmSpansProps {
  readonly project_id: string;
  readonly device_id: string;
  readonly window: TimeSpan;
  readonly isTop: boolean;
}

const NONE: readonly Alarm[] = [];

/** The alarms of a device over its chart, and what a rule that is being written would have found. */
export function AlarmSpans({ project_id, device_id, window, isTop }: AlarmSpansProps) {
  const of = deviceKey(project_id, device_id);
  deviceAlarms.useWatch(of);
  const alarms = deviceAlarms.useValue(of).value ?? NONE;
  const tried = useTriedSpans(device_id);
  const now = useNow(alarms.some(({ state }) => state === 'open') || tried.some(({ to }) => to === null));
  const spans = useMemo(
    () => [
      ...alarms.map((alarm): AlarmSpan => {
        const from = parseInstant(alarm.start) ?? 0;
        const to = alarm.end === null ? null : parseInstant(alarm.end);
        return { id: alarm.id, from, to: to ?? now, kind: alarm.state, words: alarmLine(alarm, now) };
      }),
      ...tried.map(({ from, to }): AlarmSpan => {
        const words = `Would have fired for ${formatSpan(Math.max(0, (to ?? now) - from))}`;
        return { id: `tried ${from}`, from, to: to ?? now, kind: 'tried', words };
      }),
    ],
    [alarms, tried, now],
  );
  if (spans.length === 0) return null;
  const open = ({ spans: all, kind }: AlarmBand) => {
    const [first] = all;
    if (kind === 'tried' || !first) return;
    const one = all.length === 1 && { open: first.id };
    goTo({ screen: 'alarms', project: project_id, device: device_id, state: 'all', ...one });
  };
  return <AlarmBands spans={spans} window={window} isTop={isTop} onOpen={open} />;
}
