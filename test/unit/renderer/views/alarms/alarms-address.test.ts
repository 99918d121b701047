import { expect, test } from 'vitest';
import { alarmsTail, type AlarmsShown } from '../../../../../renderer/views/alarms/alarms-address.ts';
import { rulesTail } from '../../../../../renderer/views/rules/rules-address.ts';

test.each<[AlarmsShown, string]>([
  [{}, ''],
  [{ state: 'open' }, '?state=open'],
  [
    {
      find: 'a&b',
      state: 'all',
      project: 'p',
      device: 'd',
      rule: 'r',
      sort: { column: 'since', descending: true },
      open: 'x',
    },
    '?find=a%26b&state=all&project=p&device=d&rule=r&sort=-since&open=x',
  ],
])('alarms: %j is said and read again', (shown, text) => {
  expect(alarmsTail.text(shown)).toBe(text);
  expect(alarmsTail.parse([], text.slice(1))).toEqual(shown);
});

test('those that are to be seen are not named, and what is no state is left out', () => {
  expect(alarmsTail.text({ state: 'due' })).toBe('');
  expect(alarmsTail.parse([], 'state=due&project=p')).toEqual({ project: 'p' });
  expect(alarmsTail.parse([], 'state=loud')).toEqual({});
  expect(alarmsTail.parse(['x'], '')).toBeNull();
});

test('rules: what is looked for and what is written', () => {
  const shown = { find: 'too hot', open: 'new' };
  expect(rulesTail.text(shown)).toBe('?find=too%20hot&open=new');
  expect(rulesTail.parse([], 'find=too%20hot&open=new')).toEqual(shown);
  expect([rulesTail.text({}), rulesTail.parse([], '')]).toEqual(['', {}]);
});
