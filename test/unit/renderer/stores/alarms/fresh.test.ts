import { expect, test } from 'vitest';
import { formatMicros } from '#shared/values/time.ts';
import { sounds, tell } from '../../../../../renderer/stores/alarms/fresh.ts';
import { alarm, AT, S, time } from '../../components/alarms/alarm.ts';

/* Which alarms a window tells of. */

const OPENED = formatMicros(AT);
const notify = (sound = false) => [
  {
    key: 'k',
    event: 'raised' as const,
    act: { do: 'notify' as const, ...(sound && { sound }) },
    state: 'done' as const,
    tries: 1,
    next: null,
    error: null,
  },
];
const raised = (id: string, seconds: number, more = {}) =>
  alarm({ id, raised: time(seconds), acts: notify(), ...more });
const ids = (told: ReturnType<typeof tell>) => told.fresh.map(({ id }) => id);

test('what was there as the window opened is never told, what is raised since is told once', () => {
  const first = tell(null, [raised('a', -60)], OPENED);
  expect(ids(first)).toEqual([]);
  const second = tell(first.heard, [raised('b', 5), raised('a', -60)], formatMicros(AT + 6 * S));
  expect(ids(second)).toEqual(['b']);
  const third = tell(
    second.heard,
    [raised('c', 9), raised('b', 5), raised('a', -60)],
    formatMicros(AT + 9 * S),
  );
  expect(ids(third)).toEqual(['c']);
  // Acknowledged it is not among them, and amended it is again.
  const fourth = tell(third.heard, [], formatMicros(AT + 10 * S));
  expect(ids(tell(fourth.heard, [raised('c', 9)], formatMicros(AT + 11 * S)))).toEqual([]);
});

test('one that was raised before the window, and is seen only now, is not told', () => {
  const { heard } = tell(null, [], OPENED);
  expect(ids(tell(heard, [raised('old', -1)], formatMicros(AT + S)))).toEqual([]);
});

test('rules that do not notify, are silenced, or whose alarm is withdrawn already are not told', () => {
  const { heard } = tell(null, [], OPENED);
  const found = [
    raised('quiet', 1, { acts: [] }),
    raised('ended', 1, { acts: notify().map((act) => ({ ...act, event: 'ended' as const })) }),
    raised('silenced', 1, { silenced_until: time(60) }),
    raised('gone', 1, { state: 'withdrawn' }),
    raised('told', 1, { silenced_until: time(0) }),
  ];
  expect(ids(tell(heard, found, formatMicros(AT + 2 * S)))).toEqual(['told']);
});

test('a sound is one of the rule’s', () => {
  expect([sounds(raised('a', 0)), sounds(raised('a', 0, { acts: notify(true) }))]).toEqual([false, true]);
});
