import { describe, expect, test } from 'vitest';
import { actsWords, ruleWords, whenWords, type RuleCalled } from '#shared/domain/words/rule-words.ts';
import { ruleOf, type When } from '#shared/domain/rules.ts';
import { secondsText } from '#shared/values/duration.ts';

/* A rule in words. */

const CALLED: RuleCalled = {
  nameOf: (key) => (key === 'supply' ? 'Supply' : key),
  valueOf: (key, value) => (key === 'supply' && typeof value === 'number' ? `${value} °C` : String(value)),
  normalOf: (key) => (key === 'supply' ? '18 to 27 °C' : null),
};

const said = (when: object, for_s = 0) => {
  const rule = ruleOf({ when, for_s });
  if (typeof rule === 'string') throw new Error(rule);
  return ruleWords(rule, CALLED);
};

describe('a condition', () => {
  test.each<[object, string]>([
    [{ key: 'supply', above: 85 }, 'Supply above 85 °C'],
    [{ key: 'supply', above: 85, hysteresis: 2 }, 'Supply above 85 °C, until 83 °C'],
    [{ key: 'supply', above: 0.3, hysteresis: 0.1 }, 'Supply above 0.3 °C, until 0.2 °C'],
    [{ key: 'supply', below: -5, hysteresis: 0 }, 'Supply below -5 °C'],
    [{ key: 'supply', below: 5, hysteresis: 1 }, 'Supply below 5 °C, until 6 °C'],
    [{ key: 'supply', outside: { low: 5, high: 30 } }, 'Supply outside 5 °C to 30 °C'],
    [{ key: 'supply', outside: { low: 0 } }, 'Supply below 0 °C'],
    [{ key: 'supply', outside: { high: 30 }, hysteresis: 1 }, 'Supply above 30 °C, until 29 °C'],
    [
      { key: 'supply', outside: { low: 5, high: 30 }, hysteresis: 1 },
      'Supply outside 5 °C to 30 °C, until 1 °C inside of it',
    ],
    [{ key: 'supply', outside: 'normal' }, 'Supply outside its normal range (18 to 27 °C)'],
    [{ key: 'air', outside: 'normal' }, 'air outside its normal range'],
    [{ key: 'supply', change: 5, within_s: 600 }, 'Supply changes by more than 5 °C within 10 min'],
    [{ key: 'door', is: 'open' }, 'door is open'],
    [{ key: 'door', is: ['open', 2, true] }, 'door is open, 2 or true'],
    [{ silent_s: 900 }, 'no record for 15 min'],
    [{ silent_s: 90, key: 'supply' }, 'no Supply for 1 min 30 s'],
  ])('%j is said', (when, words) => expect(said(when)).toBe(words));

  test('of several says how they go together, in parentheses where one lies in another', () => {
    const [hot, open] = [
      { key: 'supply', above: 85 },
      { key: 'door', is: 'open' },
    ];
    expect(said({ all: [hot, open] })).toBe('Supply above 85 °C and door is open');
    expect(said({ any: [hot, { all: [open, { silent_s: 60 }] }] })).toBe(
      'Supply above 85 °C or (door is open and no record for 1 min)',
    );
    // One alone needs none.
    expect(said({ any: [{ all: [hot] }] })).toBe('Supply above 85 °C');
  });
});

test.each<[object, string]>([
  [{ key: 'supply', above: 85 }, 'Supply above 85 °C for 10 min'],
  [{ key: 'supply', above: 85, hysteresis: 2 }, 'Supply above 85 °C, until 83 °C, for 10 min'],
  [{ silent_s: 60 }, 'no record for 1 min, for 10 min'],
  [
    {
      all: [
        { key: 'supply', above: 85 },
        { key: 'door', is: 'open' },
      ],
    },
    'Supply above 85 °C and door is open, for 10 min',
  ],
])('how long %j has to hold cannot be read as a part of it', (when, words) =>
  expect(said(when, 600)).toBe(words),
);

test('without settings keys and values are as they are stored', () => {
  const when: When = { key: 'temp.supply', above: 1.25, hysteresis: undefined };
  expect(whenWords(when)).toBe('temp.supply above 1.25');
});

test('acts are said without what may be secret in an address', () => {
  expect(actsWords([])).toBe('nothing but the alarm');
  expect(
    actsWords([
      { do: 'note' },
      { do: 'notify', sound: true },
      { do: 'notify' },
      { do: 'webhook', url: 'https://user:word@hooks.example.org:8443/x?token=1' },
      { do: 'mqtt' },
      { do: 'mail', to: ['a@example.org'] },
      { do: 'mail', to: ['a@example.org', 'b@example.org'] },
    ]),
  ).toBe(
    'note, notification with a sound, notification, webhook to hooks.example.org:8443, MQTT message, mail to a@example.org, mail to 2 people',
  );
});

test.each([
  [0, '0 s'],
  [0.5, '0.5 s'],
  [60.1, '1 min 0.1 s'],
  [600, '10 min'],
  [5_400, '1 h 30 min'],
  [90_061, '25 h 1 min 1 s'],
  [86_400, '24 h'],
  [31 * 86_400, '31 days'],
])('%d seconds are %s', (seconds, words) => expect(secondsText(seconds)).toBe(words));
