import { expect, test } from 'vitest';
import type { AlarmAct } from '#shared/operations/metadata/alarms.ts';
import {
  actsTold,
  alarmLine,
  conditionOf,
  heldWords,
  lengthWords,
  momentWords,
  revisedWords,
  seenWords,
} from '../../../../../renderer/components/alarms/alarm-words.ts';
import { ruleCalled } from '../../../../../renderer/components/alarms/rule-called.ts';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import { alarm, AT, S, time } from './alarm.ts';

/* What is said of an alarm. */

const NOW = AT + 600 * S;
const act = (more: Partial<AlarmAct> = {}): AlarmAct => ({
  key: 'k',
  event: 'raised',
  act: { do: 'webhook', url: 'https://example.org/x' },
  state: 'done',
  tries: 1,
  next: null,
  error: null,
  ...more,
});

test('a moment of today is a time of day, any other has its date', () => {
  expect(momentWords(AT + 0.5 * S, NOW)).toBe('12:00:00');
  expect(momentWords(AT - 86_400 * S, NOW)).toBe('2026-03-01 12:00:00');
});

test('how long it held, or holds by now', () => {
  expect(lengthWords(alarm(), NOW)).toBe('for 20 min by now');
  expect(heldWords(alarm(), NOW)).toBe('for 20 min');
  expect([heldWords, lengthWords].map((words) => words(alarm(), AT - 599.5 * S))).toEqual([
    'just now',
    'just now',
  ]);
  expect(lengthWords(alarm({ end: time(90) }), NOW)).toBe('for 11 min 30 s');
  expect(lengthWords(alarm({ end: time(30 * 86_400) }), NOW)).toBe('for 30 days');
  expect(alarmLine(alarm(), NOW)).toBe('Too hot: since 11:50:00, for 20 min by now');
  expect(alarmLine(alarm({ state: 'withdrawn', end: time(0) }), NOW)).toBe(
    'Too hot (withdrawn): since 11:50:00, for 10 min',
  );
});

test('its condition is that of the rule as it was then', () => {
  const called = ruleCalled((key) => ({
    ...NO_SETTINGS,
    shown_as: key === 'supply' ? 'Supply' : '',
    unit: '°C',
  }));
  expect(conditionOf(alarm(), called)).toBe('Supply above 85\u00A0°C for 10 min');
  expect(conditionOf(alarm({ condition: null }), called)).toBe('By a rule that was changed or deleted since');
});

test('what late records changed is said', () => {
  expect(revisedWords(alarm(), NOW)).toBeNull();
  expect(revisedWords(alarm({ amended: time(120) }), NOW)).toBe(
    'Amended at 12:02:00: what is stored since says when it began and ended.',
  );
  expect(revisedWords(alarm({ amended: time(120), withdrawn: time(180) }), NOW)).toBe(
    'Withdrawn at 12:03:00: what is stored since says that it was not so. Raised at 12:00:01.',
  );
});

test('who saw it, and with which words', () => {
  expect(seenWords(alarm(), NOW)).toBeNull();
  const by = (text: string) => seenWords(alarm({ acknowledged: { at: time(60), by: 'app', text } }), NOW);
  expect([by(''), by('Valve shut')]).toEqual([
    'Seen at 12:01:00 by app',
    'Seen at 12:01:00 by app: Valve shut',
  ]);
});

test('what became of its acts, what is amiss before all else', () => {
  const told = (...acts: AlarmAct[]) => actsTold(alarm({ acts }), NOW);
  expect(told()).toBeNull();
  expect(told(act(), act({ act: { do: 'note' } }))).toEqual({ words: '2 acts done', isAmiss: false });
  expect(told(act(), act({ act: { do: 'mqtt' }, state: 'waiting', tries: 0 }))).toEqual({
    words: '1 act done, MQTT message waits',
    isAmiss: false,
  });
  expect(
    told(
      act({ act: { do: 'note' } }),
      act({ state: 'waiting', tries: 3, next: time(700), error: 'answered 503' }),
    ),
  ).toEqual({
    words: 'webhook to example.org failed 3 times: answered 503, again at 12:11:40',
    isAmiss: true,
  });
  expect(told(act({ state: 'failed', tries: 20, error: 'refused' }))?.words).toBe(
    'webhook to example.org failed: refused',
  );
  const unset = 'No mail server is set in the settings (mail).';
  expect(told(act({ state: 'failed', tries: 20, error: unset }))?.words).toBe(
    'webhook to example.org failed: No mail server is set in the settings.',
  );
});

test('an act that a silence left out is not called done', () => {
  const told = (...acts: AlarmAct[]) => actsTold(alarm({ acts }), NOW);
  const silenced = act({ error: 'silenced' });
  expect(told(silenced)).toEqual({ words: '1 act left out: silenced', isAmiss: false });
  expect(told(act(), silenced, silenced)?.words).toBe('1 act done, 2 acts left out: silenced');
});
