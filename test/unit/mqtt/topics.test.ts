import { expect, test } from 'vitest';
import { REASON } from '#core/mqtt/packets/reasons.ts';
import { isTopicName, matches, subscriptionRefusal } from '#core/mqtt/topics.ts';

/* Examples of the standard where there are any (4.7.1). */

test.each([
  ['sport/tennis/player1/#', 'sport/tennis/player1', true],
  ['sport/tennis/player1/#', 'sport/tennis/player1/ranking', true],
  ['sport/#', 'sport', true],
  ['#', 'sport/tennis', true],
  ['sport/tennis/+', 'sport/tennis/player1', true],
  ['sport/tennis/+', 'sport/tennis/player1/ranking', false],
  ['sport/+', 'sport', false],
  ['sport/+', 'sport/', true],
  ['+/+', '/finance', true],
  ['/+', '/finance', true],
  ['+', '/finance', false],
  ['#', '$SYS/monitor', false],
  ['+/monitor', '$SYS/monitor', false],
  ['$SYS/#', '$SYS/monitor', true],
  ['sport', 'Sport', false],
])('%s has %s: %s', (filter, topic, expected) => {
  expect(matches(filter, topic)).toBe(expected);
});

test.each([
  ['pump', null],
  ['#', null],
  ['+', null],
  ['pump/#', null],
  ['other', REASON.notAuthorized],
  ['pump/+', REASON.notAuthorized],
  ['', REASON.filterInvalid],
  ['pump#', REASON.filterInvalid],
  ['#/pump', REASON.filterInvalid],
  ['pu+mp', REASON.filterInvalid],
  ['pump\0', REASON.filterInvalid],
  ['$share/group/pump', REASON.sharedUnsupported],
])('a device "pump" that asks for "%s" hears %s', (filter, reason) => {
  expect(subscriptionRefusal(filter, 'pump')).toBe(reason);
});

test.each([
  ['pump', true],
  ['a/b', true],
  ['', false],
  ['a/+', false],
  ['#', false],
  ['a\0', false],
])('"%s" can be published to: %s', (topic, expected) => {
  expect(isTopicName(topic)).toBe(expected);
});
