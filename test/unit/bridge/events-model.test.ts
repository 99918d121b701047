import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Principal } from '#core/api/call.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import type { EventFilter } from '#shared/bridge/subscriptions.ts';
import { TOPICS, type Job, type Topic } from '#shared/domain/events.ts';
import { PERMISSIONS, type Permission } from '#shared/schema/schemas.ts';
import { open, settle } from './event-window.ts';

/* What windows hear, against a model of it. */

/** Which permission reads what the event speaks of, in words of its own. */
function needed(topic: Topic, kind: Job['kind']): Permission {
  // What only local operations tell.
  if (['notes.changed', 'alarms.changed', 'corrections.changed', 'functions.changed'].includes(topic))
    return 'admin';
  if (topic === 'widgets.changed') return 'admin';
  if (topic === 'undo.changed' || topic === 'requests.seen') return 'admin';
  if (topic !== 'jobs.progress') return 'read';
  return kind === 'purge' || kind === 'delete-range' || kind === 'delete' ? 'delete' : 'admin';
}

test('whatever windows subscribe to and whoever they are, they hear what they should, in order', async () => {
  const ids = fc.constantFrom('1', '2');
  const filter: fc.Arbitrary<EventFilter> = fc.record(
    { project_id: ids, device_id: ids },
    { requiredKeys: [] },
  );
  const principal: fc.Arbitrary<Principal> = fc.record({
    account_id: fc.constantFrom('a', 'b'),
    permissions: fc.subarray([...PERMISSIONS]).map((each) => new Set(each)),
    project_ids: fc.option(fc.subarray(['1', '2']).map((each) => new Set(each))),
    key_id: fc.constant('k'),
    by: fc.constant({ kind: 'key', name: 'k', id: 'k' } as const),
  });
  // Half of them, as these alone need a permission by their kind.
  const topic = fc.oneof(fc.constant('jobs.progress' as const), fc.constantFrom(...TOPICS));
  const script = fc.array(
    fc.oneof(
      fc.record({ do: fc.constantFrom('subscribe', 'unsubscribe'), window: fc.nat(2), topic, filter }),
      fc.record({
        do: fc.constant('publish' as const),
        topic,
        account_id: fc.constantFrom('a', 'b'),
        project_id: ids,
        device_id: ids,
        kind: fc.constantFrom('import', 'export', 'purge', 'delete-range', 'delete'),
      }),
    ),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(principal, { minLength: 3, maxLength: 3 }),
      script,
      async (principals, steps) => {
        const events = createEventBus();
        const windows = principals.map((each) => open(events, () => each));
        const live = windows.map(() => new Map<string, { topic: Topic; filter: EventFilter }>());
        const expected = windows.map((): unknown[] => []);
        for (const [at, step] of steps.entries()) {
          if ('window' in step) {
            const { window, topic: to, filter: by } = step;
            const key = JSON.stringify([to, by.project_id, by.device_id]);
            if (step.do === 'subscribe') live[window]?.set(key, { topic: to, filter: by });
            else live[window]?.delete(key);
            windows[window]?.session.receive({ type: step.do, topic: to, filter: by });
            continue;
          }
          const { do: _, topic: of, kind, ...placed } = step;
          // The same as a job's, more than any topic needs; the number tells them apart.
          const payload = { ...placed, kind, count: at };
          events.publish(of, payload);
          for (const [window, { account_id, permissions, project_ids }] of principals.entries()) {
            const isWanted = [...(live[window]?.values() ?? [])].some(
              (each) =>
                each.topic === of &&
                (each.filter.project_id ?? placed.project_id) === placed.project_id &&
                (each.filter.device_id ?? placed.device_id) === placed.device_id,
            );
            const maySee =
              account_id === placed.account_id &&
              (project_ids === null || project_ids.has(placed.project_id)) &&
              permissions.has(needed(of, kind));
            if (isWanted && maySee) expected[window]?.push({ type: 'event', topic: of, payload });
          }
          await new Promise((resolve) => setImmediate(resolve));
        }
        await settle();
        expect(windows.map(({ posted }) => posted)).toEqual(expected);
      },
    ),
    { numRuns: 200 },
  );
});
