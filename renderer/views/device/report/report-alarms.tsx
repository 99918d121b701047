import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import type { Micros } from '#shared/values/time.ts';
import { conditionOf, lengthWords, STATE_WORDS } from '../../../components/alarms/alarm-words.ts';
import { ruleCalled } from '../../../components/alarms/rule-called.ts';
import { spanTextOf } from '../../../components/facts/span-words.ts';
import type { Zone } from '../../../time.ts';
import classes from './report.module.css';
import { MOST_ALARMS_LISTED } from './use-report.ts';

interface ReportAlarmsProps {
  /** Newest first. */
  readonly alarms: readonly Alarm[];
  readonly zone: Zone;
  readonly settingsOf: (key: string) => KeySettings;
  /** When the report was made, µs. */
  readonly made: Micros;
}

/** Alarms of the span; nothing where no rule found any. */
export function ReportAlarms({ alarms, zone, settingsOf, made }: ReportAlarmsProps) {
  if (alarms.length === 0) return null;
  const called = ruleCalled(settingsOf);
  return (
    <section>
      <h3>Alarms</h3>
      <table className={classes['table']} data-kind="alarms">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Held</th>
            <th scope="col">Rule</th>
            <th scope="col">State</th>
            <th scope="col">Seen</th>
          </tr>
        </thead>
        <tbody>
          {alarms.map((alarm) => (
            <tr key={alarm.id}>
              <td>{spanTextOf(alarm.start, alarm.end, zone)}</td>
              <td>{lengthWords(alarm, made)}</td>
              <td dir="auto">
                {alarm.rule}: {conditionOf(alarm, called)}
              </td>
              <td>{STATE_WORDS[alarm.state]}</td>
              <td dir="auto">{seenBy(alarm)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {alarms.length === MOST_ALARMS_LISTED && <p>These are the newest {MOST_ALARMS_LISTED}.</p>}
    </section>
  );
}

function seenBy({ acknowledged }: Alarm): string {
  if (acknowledged === null) return 'by nobody';
  const { by, text } = acknowledged;
  return text === '' ? `by ${by}` : `by ${by}: ${text}`;
}
