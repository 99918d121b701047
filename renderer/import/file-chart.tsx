import { Text } from '@mantine/core';
import { parseInstant } from '#shared/values/time.ts';
import { Moment } from '../components/facts/moment.tsx';
import { isIn, valueColumns } from './columns.ts';
import { Curve, rangeOf } from './curve.tsx';
import { keysOfItem, unitOf, type FileItem } from './files/file-items.ts';
import classes from './file-chart.module.css';

/** Columns that are drawn over one another: what is beyond them is in the heads of the table. */
const MOST_CURVES = 8;
const WIDTH = 800;

/** The columns of numbers of a file that come in, each with what it is over the whole file; none until that was read. */
export function curvesOf(item: FileItem) {
  const { inspected, report } = item;
  if (inspected === null || report.state !== 'read' || report.found.records < 2) return [];
  const { course } = report.found;
  const keys = keysOfItem(item);
  const isImported = isIn(inspected.choices);
  return valueColumns(inspected.inspection).flatMap(({ name }) => {
    const key = keys[name] ?? name;
    const found = isImported(name) ? course.keys.find((one) => one.key === key) : undefined;
    return found && found.numbers > 0 ? [{ name, key, found }] : [];
  });
}

/** The whole file as a chart: its columns of numbers above one another, with one time. */
export function FileChart({ item }: { readonly item: FileItem }) {
  const { report } = item;
  const curves = curvesOf(item);
  if (report.state !== 'read' || curves.length === 0) return null;
  const { course, first, last } = report.found;
  const hidden = curves.length - MOST_CURVES;
  const [from, to] = [parseInstant(first ?? ''), parseInstant(last ?? '')];
  return (
    <div className={classes['chart']} role="group" aria-label="Chart of the file">
      {curves.slice(0, MOST_CURVES).map(({ name, key, found }) => (
        <div key={key} className={classes['row']}>
          <div className={classes['name']}>
            <Text size="xs" fw={600} truncate dir="auto" title={key}>
              {key}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {rangeOf(found)} {unitOf(item, name)}
            </Text>
          </div>
          <Curve name={`${key} over the whole file`} times={course.times} course={found} width={WIDTH} />
        </div>
      ))}
      <div className={classes['row']}>
        <span />
        <div className={classes['ends']}>
          {from !== null && <Moment at={from} coarse />}
          {to !== null && <Moment at={to} coarse />}
        </div>
      </div>
      {hidden > 0 && (
        <Text size="xs" c="dimmed">
          And {hidden} more columns, below.
        </Text>
      )}
    </div>
  );
}
