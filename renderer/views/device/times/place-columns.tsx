import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { TimeFinding } from '#shared/operations/records/times.ts';
import { parseInstant } from '#shared/values/time.ts';
import { roughDuration } from '../../../components/facts/duration-words.ts';
import { spanTextOf } from '../../../components/facts/span-words.ts';
import type { TableColumn } from '../../../components/table/column.ts';
import { countColumn } from '../../../components/table/usual-columns.ts';
import { compareTexts } from '../../../order.ts';
import { canDelete } from './finding-words.ts';
import classes from './times-panel.module.css';

export type Place = TimeFinding['list'][number];

/** Around an instant there is this much to see, µs; around a span a fifth of it on each side. */
const AROUND_US = 60e6;

/** The window of a chart that shows a place in what is around it. */
export function windowAround({ start, end }: Place): { readonly from: number; readonly to: number } {
  const [from, to] = [parseInstant(start) ?? 0, parseInstant(end) ?? 0];
  const margin = Math.max(AROUND_US, Math.ceil((to - from) / 5));
  return { from: from - margin, to: to + margin };
}

const lengthOf = ({ start, end }: Place) => ((parseInstant(end) ?? 0) - (parseInstant(start) ?? 0)) / 1e6;

export function placeColumns(
  kind: TimeFinding['kind'],
  hrefOf: (place: Place) => string,
  onDelete: (place: Place) => void,
): readonly TableColumn<Place>[] {
  const time: TableColumn<Place> = {
    id: 'time',
    header: 'Time, leads to the chart',
    width: 'minmax(330px, 2fr)',
    compare: (a, b) => compareTexts(a.start, b.start),
    cell: (place) => {
      const { start, end } = place;
      return (
        <a
          href={hrefOf(place)}
          className={classes['time']}
          title={start === end ? start : `${start} – ${end}`}
        >
          {spanTextOf(start, start === end ? null : end)}
        </a>
      );
    },
  };
  const length: TableColumn<Place> = {
    id: 'length',
    header: 'Length',
    width: '140px',
    align: 'end',
    compare: (a, b) => lengthOf(a) - lengthOf(b),
    cell: (place) => (lengthOf(place) === 0 ? 'an instant' : roughDuration(lengthOf(place))),
  };
  if (!canDelete(kind)) return [time, length];
  return [
    time,
    length,
    countColumn('records', 'Records', '110px', 1),
    {
      id: 'delete',
      header: '',
      width: '136px',
      align: 'end',
      cell: (place) => (
        <Button
          size="compact-xs"
          variant="subtle"
          color="danger"
          leftSection={<IconTrash size={14} />}
          aria-label={`Delete the records of ${spanTextOf(place.start, place.start === place.end ? null : place.end)}…`}
          onClick={() => onDelete(place)}
        >
          Delete…
        </Button>
      ),
    },
  ];
}
