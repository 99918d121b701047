import type { Excursions } from '#shared/operations/records/excursions.ts';
import { parseInstant } from '#shared/values/time.ts';
import { shareOf } from '../../../chart/states/excursion-strip.ts';
import { roughDuration } from '../../../components/facts/duration-words.ts';
import { formatValue } from '../../../components/facts/key-words.ts';
import { formatCount } from '../../../format.ts';
import { formatTime, type Zone } from '../../../time.ts';
import type { ReportRow } from './report-keys.tsx';
import classes from './report.module.css';

const instant = (text: string) => parseInstant(text) ?? 0;

interface ReportExcursionsProps {
  readonly rows: readonly ReportRow[];
  readonly excursions: readonly Excursions[];
  readonly zone: Zone;
}

/** How long each key with a normal range lay inside, outside, and was not measured; and when it lay outside. */
export function ReportExcursions({ rows, excursions, zone }: ReportExcursionsProps) {
  const told = excursions.flatMap((one) => {
    const row = rows.find(({ line }) => line.key === one.key);
    return row ? { one, row } : [];
  });
  if (told.length === 0) return null;
  const listed = told.flatMap(({ one, row }) => one.excursions.map((excursion) => ({ excursion, row })));
  const left = told.reduce((sum, { one }) => sum + one.excursion_count, -listed.length);
  const time = (text: string) => formatTime(instant(text), zone);
  return (
    <section>
      <table className={classes['table']}>
        <caption>Time in the normal range</caption>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">in range</th>
            <th scope="col">outside</th>
            <th scope="col">not measured</th>
            <th scope="col">excursions</th>
          </tr>
        </thead>
        <tbody>
          {told.map(({ one, row }) => (
            <tr key={one.key}>
              <th scope="row" dir="auto">
                {row.line.label}
              </th>
              {[one.inside_us, one.outside_us, one.not_measured_us].map((us, place) => (
                <td key={place}>{us === 0 ? 'none' : `${roughDuration(us / 1e6)} (${shareOf(us, one)})`}</td>
              ))}
              <td>{formatCount(one.excursion_count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {listed.length > 0 && (
        <table className={classes['table']} data-kind="excursions">
          <caption>Excursions</caption>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col">Length</th>
              <th scope="col">Worst</th>
              <th scope="col">at</th>
            </tr>
          </thead>
          <tbody>
            {listed.map(({ excursion: { start, end, worst, at, side }, row }, place) => (
              <tr key={place}>
                <td dir="auto">{row.line.label}</td>
                <td>{time(start)}</td>
                <td>{time(end)}</td>
                <td>
                  {start === end ? 'one reading' : roughDuration((instant(end) - instant(start)) / 1e6)}
                </td>
                <td>{`${formatValue(worst, row.settings)}, ${side}`}</td>
                <td>{time(at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {left > 0 && <p>{`These are the first of each key; ${formatCount(left)} more are not listed.`}</p>}
    </section>
  );
}
