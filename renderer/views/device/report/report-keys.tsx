import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment } from 'react';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { FIGURES, type Write } from '../../../chart/controls/legend/figures.ts';
import { LineSwatch } from '../../../chart/controls/line-swatch.tsx';
import type { ChartLine } from '../../../chart/draw/chart-line.ts';
import { chartColors } from '../../../chart/plot/palette.ts';
import { normalText } from '../../../components/facts/key-words.ts';
import { formatCount, formatSpan } from '../../../format.ts';
import classes from './report.module.css';

export interface ReportRow {
  readonly line: ChartLine;
  readonly settings: KeySettings;
  readonly statistics: KeyStatistics | undefined;
  readonly write: Write;
}

const NOTHING = '–';
/** The others stand in the second table: paper is narrow. */
const IN_FIRST = FIGURES.filter(({ id }) => id !== 'gaps' && id !== 'rate');
const RATE = FIGURES.find(({ id }) => id === 'rate');

/** The legend of a report, with what the numbers of each key come to. */
export function ReportKeys({ rows }: { readonly rows: readonly ReportRow[] }) {
  return (
    <>
      <table className={classes['table']}>
        <caption>Keys</caption>
        <thead>
          <tr>
            <th scope="col">Key</th>
            {IN_FIRST.map(({ id, label, about }) => (
              <th key={id} scope="col" title={about}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, statistics, write }) => (
            <tr key={line.id}>
              <Name line={line} />
              {IN_FIRST.map(({ id, text }) => (
                <td key={id} className={id === 'n' ? classes['whole'] : undefined}>
                  {statistics ? <Figure text={text(statistics, write)} /> : NOTHING}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <table className={classes['table']}>
        <caption>Normal ranges, gaps and rates</caption>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">normal range</th>
            <th scope="col">below it</th>
            <th scope="col">above it</th>
            <th scope="col">gaps</th>
            <th scope="col">longest silence</th>
            <th scope="col">rate</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, settings, statistics, write }) => (
            <tr key={line.id}>
              <Name line={line} />
              <td>{settings.low === null && settings.high === null ? 'not set' : normalText(settings)}</td>
              <td>
                <Outside count={statistics?.below ?? null} of={statistics?.count ?? 0} />
              </td>
              <td>
                <Outside count={statistics?.above ?? null} of={statistics?.count ?? 0} />
              </td>
              <td>{statistics ? formatCount(statistics.gaps) : NOTHING}</td>
              <td>{statistics?.longest_gap_us ? formatSpan(statistics.longest_gap_us) : NOTHING}</td>
              <td className={classes['whole']}>
                {statistics && RATE ? RATE.text(statistics, write) : NOTHING}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Name({ line: { look, label, key, unit } }: { readonly line: ChartLine }) {
  return (
    <th scope="row">
      <span className={classes['name']}>
        <LineSwatch look={look} colors={chartColors('light')} />
        <span dir="auto">
          {label}
          {unit && ` (${unit})`}
          {label !== key && <small dir="auto"> {key}</small>}
        </span>
      </span>
    </th>
  );
}

/** A number that may go on in another line behind a comma: paper does not grow. */
function Figure({ text }: { readonly text: string }) {
  return text.split(/(?<=,)/).map((part, place) => (
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** How many of the numbers lie outside at one end; marked where any do. */
function Outside({ count, of }: { readonly count: number | null; readonly of: number }) {
  if (count === null) return NOTHING;
  if (count === 0) return '0';
  const percent = (count / of) * 100;
  return (
    <strong className={classes['outside']}>
      <IconAlertTriangle size={12} aria-label="Outside:" role="img" /> {formatCount(count)} (
      {percent < 0.1 ? 'under 0.1' : percent.toFixed(1)} %)
    </strong>
  );
}
