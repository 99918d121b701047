import type { Micros, TimeRange } from '#shared/values/time.ts';
import { columnStarts } from '#shared/values/pixel-columns.ts';
import { lowerBound } from '#shared/values/lower-bound.ts';
import { Accumulator } from '../store/blocks/series/accumulator.ts';
import { TEXT } from '../store/record-columns.ts';
import type { SeriesKey } from '../store/store.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import type { Survey, SurveyMessage, SurveyQuery, SurveyStart } from './survey.ts';

/*
 * A series of keys that no index knows, since they are derived where they are read: what RecordStore.series answers, of many
 * records without holding up others.
 */

export interface PictureQuery extends SurveyQuery {
  /** The span of the columns; `range` may begin before and end behind it, for the numbers on either side. */
  readonly span: Required<TimeRange>;
  readonly width: number;
}

export const PICTURES = {
  kind: { name: 'pictures' } as TaskKind<
    SurveyStart<PictureQuery>,
    never,
    SurveyMessage,
    readonly SeriesKey[]
  >,
  held: false,
  begin({ keys, span, width }) {
    const starts = columnStarts(span.start, span.end, width);
    const drawn = keys.map((key) => new Accumulator(key, width));
    const columnOf = (time: Micros) => lowerBound(starts, 0, starts.length, time + 1) - 1;
    return {
      isOver: false,
      take(place, time, kind, value) {
        if (kind === TEXT) return;
        const into = drawn[place]!;
        if (time < span.start) into.addOutside({ instant: time, value }, null);
        else if (time > span.end) into.addOutside(null, { instant: time, value });
        else into.addPoint(columnOf(time), time, value);
      },
      result: () => drawn.map((each) => each.result()),
    };
  },
} satisfies Survey<PictureQuery, readonly SeriesKey[]>;
