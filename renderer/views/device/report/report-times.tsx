import type { Times } from '#shared/operations/records/times.ts';
import { parseInstant } from '#shared/values/time.ts';
import { formatCount, formatSpan } from '../../../format.ts';
import { formatTime, type Zone } from '../../../time.ts';
import { amountOf, FINDING_TITLES } from '../times/finding-words.ts';
import classes from './report.module.css';

interface ReportTimesProps {
  readonly times: Times;
  readonly zone: Zone;
}

/** Gaps, and other findings on the times. */
export function ReportTimes({ times, zone }: ReportTimesProps) {
  const gaps = times.findings.find(({ kind }) => kind === 'gap');
  const others = times.findings.filter(({ kind, places }) => kind !== 'gap' && places > 0);
  const list = (gaps?.list ?? []).toSorted((a, b) => (a.start < b.start ? -1 : 1));
  const left = (gaps?.places ?? 0) - list.length;
  return (
    <section>
      <h3>Gaps</h3>
      {list.length === 0 ? (
        <p>
          {times.gap_us === null
            ? 'There are too few records to say what a gap is.'
            : `None: no silence is longer than ${formatSpan(times.gap_us)}.`}
        </p>
      ) : (
        <>
          <table className={classes['table']} data-kind="places">
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col">Silent for</th>
              </tr>
            </thead>
            <tbody>
              {list.map(({ start, end }) => {
                const [from, to] = [parseInstant(start) ?? 0, parseInstant(end) ?? 0];
                return (
                  <tr key={start}>
                    <td>{formatTime(from, zone)}</td>
                    <td>{formatTime(to, zone)}</td>
                    <td>{formatSpan(to - from)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
          {left > 0 && <p>These are the longest; {formatCount(left)} more are shorter.</p>}
        </>
      )}
      {others.length > 0 && (
        <p>
          Also odd about the times:{' '}
          {others.map((one) => `${FINDING_TITLES[one.kind].toLowerCase()}: ${amountOf(one)}`).join('; ')}.
        </p>
      )}
    </section>
  );
}
