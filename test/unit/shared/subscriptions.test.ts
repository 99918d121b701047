import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TOPICS } from '#shared/domain/events.ts';
import { Subscriptions, type EventFilter } from '#shared/bridge/subscriptions.ts';

/* Against a list that is searched from end to end. */

const ids = fc.constantFrom('a', 'b', '', 'null', '__proto__');
const filters: fc.Arbitrary<EventFilter> = fc.record(
  { project_id: ids, device_id: ids },
  { requiredKeys: [] },
);
const topics = fc.constantFrom(...TOPICS);
const subscribers = fc.constantFrom(1, 2, 3);

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('add' as const), topic: topics, filter: filters, subscriber: subscribers }),
    fc.record({
      do: fc.constant('delete' as const),
      topic: topics,
      filter: filters,
      subscriber: subscribers,
    }),
    fc.record({
      do: fc.constant('publish' as const),
      topic: topics,
      project_id: ids,
      device_id: fc.option(ids),
    }),
  ),
  { maxLength: 60 },
);

interface Row {
  readonly topic: string;
  readonly filter: EventFilter;
  readonly subscriber: number;
}

const isSame = (a: Row, b: Row) =>
  a.topic === b.topic &&
  a.filter.project_id === b.filter.project_id &&
  a.filter.device_id === b.filter.device_id &&
  a.subscriber === b.subscriber;

test('whatever is added and taken away, an event finds who subscribed to it, each once', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const subscriptions = new Subscriptions<number>();
      let rows: Row[] = [];
      for (const step of script) {
        if (step.do === 'publish') {
          const { topic, project_id, device_id } = step;
          const naive = rows.filter(
            ({ filter, ...row }) =>
              row.topic === topic &&
              (filter.project_id ?? project_id) === project_id &&
              (filter.device_id ?? device_id) === device_id,
          );
          const found = subscriptions.matching({ topic, payload: { project_id, device_id } });
          expect(found).toEqual(new Set(naive.map(({ subscriber }) => subscriber)));
          continue;
        }
        const others = rows.filter((row) => !isSame(row, step));
        const isElsewhere = others.some((row) => isSame(row, { ...step, subscriber: row.subscriber }));
        const wasThere = others.length < rows.length;
        if (step.do === 'add') {
          expect(subscriptions.add(step.topic, step.filter, step.subscriber)).toBe(!isElsewhere);
          rows = [...others, step];
        } else {
          expect(subscriptions.delete(step.topic, step.filter, step.subscriber)).toBe(
            wasThere && !isElsewhere,
          );
          rows = others;
        }
      }
      const left = new Set(
        rows.map(({ topic, filter }) => JSON.stringify([topic, filter.project_id, filter.device_id])),
      );
      const all = [...subscriptions.all()].map(([topic, filter]) =>
        JSON.stringify([topic, filter.project_id, filter.device_id]),
      );
      expect(all.toSorted()).toEqual([...left].toSorted());
    }),
  );
});
