import type { AlarmEvent } from '#shared/domain/alarms.ts';
import { alarmState } from '#shared/domain/alarms.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import type { StoredAlarm } from '../store/metadata/metadata-schema.ts';
import type { LatestValue } from '../store/store.ts';

/** A thing with its name, as what is sent says it. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/** Contents of an act's message about an alarm (docs/functions.md, "Acts"). */
export interface Told {
  readonly key: string;
  readonly event: AlarmEvent;
  readonly alarm: StoredAlarm;
  readonly device: Named;
  readonly project: Named;
  /** Of a rule with `values`: the last ones of its keys; null where they are not to be told. */
  readonly values: readonly LatestValue[] | null;
}

/** Returns the JSON of it, as webhooks and messages have it. */
export function messageJson({ key, event, alarm, device, project, values }: Told): string {
  return JSON.stringify({
    key,
    event,
    alarm: {
      id: alarm.id,
      state: alarmState(alarm),
      start: formatMicros(alarm.start),
      fired: formatMicros(alarm.fired),
      end: instant(alarm.end),
      raised: formatMicros(alarm.raised),
      amended: instant(alarm.amended),
      withdrawn: instant(alarm.withdrawn),
    },
    rule: { id: alarm.function_id, name: alarm.name },
    device,
    project,
    ...(values !== null && {
      values: values.map(({ key: of, value, timestamp }) => ({
        key: of,
        value,
        timestamp: formatMicros(timestamp),
      })),
    }),
  });
}

const instant = (at: Micros | null) => (at === null ? null : formatMicros(at));

const EVENTS: Readonly<Record<AlarmEvent, string>> = {
  raised: 'Alarm',
  ended: 'Ended',
  amended: 'Amended',
  withdrawn: 'Withdrawn',
};

/** Returns subject and text of a mail that says the same; neither has a control character that the other side could take for a header. */
export function mailOf(told: Told): { readonly subject: string; readonly text: string } {
  const { event, alarm, device, project, values, key } = told;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Rule', alarm.name],
    ['Device', device.name],
    ['Project', project.name],
    ['Condition true from', formatMicros(alarm.start)],
    ['Fired', formatMicros(alarm.fired)],
    ['Ended', instant(alarm.end)],
    ['Amended', instant(alarm.amended)],
    ['Withdrawn', instant(alarm.withdrawn)],
    ...(values ?? []).map(({ key: of, value }) => [of, String(value)] as const),
    ['Key', key],
  ];
  const lines = facts.flatMap(([name, fact]) =>
    fact === null ? [] : [`${oneLine(name)}: ${oneLine(fact)}`],
  );
  return {
    subject: oneLine(`${EVENTS[event]}: ${alarm.name} (${device.name})`),
    text: `${lines.join('\n')}\n`,
  };
}

const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
