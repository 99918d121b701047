import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createEventBus } from '#core/base/event-bus.ts';
import { machineClock } from '#core/base/machine-clock.ts';
import { excerptOf } from '#core/requests/excerpt.ts';
import { beginningOf, hideSecrets } from '#core/requests/hide-secrets.ts';
import { RequestsSeen, type Seen } from '#core/requests/requests-seen.ts';
import type { Events } from '#shared/domain/events.ts';
import { clockOf } from '../../helpers/clock.ts';

const OWNER = 'owner';
const SECOND = 1_000_000;

function open() {
  const clock = { ...clockOf((): number => clock.micros), micros: 0 };
  const events = createEventBus();
  const heard: Events['requests.seen'][] = [];
  events
    .subscriber(({ topic, payload }) => {
      if (topic === 'requests.seen') heard.push(payload);
    })
    .subscribe('requests.seen');
  return { clock, heard, requests: new RequestsSeen({ clock, events, default_account_id: OWNER }) };
}

const of = (id: string, project_id = 'p') => ({ account_id: 'a', device: { id, project_id } });
const BASE = {
  door: 'http',
  method: 'POST',
  path: '/integrations/http',
  from: '127.0.0.1',
  beganMs: machineClock.monotonicMs(),
} as const;
const stored = (id: string, body = '{"n":1}'): Seen => ({
  ...BASE,
  status: 200,
  isRefused: false,
  device: of(id),
  stored: 1,
  body: Buffer.from(body),
});
const refused = (id: string | null, message: string): Seen => ({
  ...BASE,
  status: id === null ? 401 : 400,
  isRefused: true,
  ...(id !== null && { device: of(id) }),
  message,
});

test('what a sensor sends thousands of times a second is counted, and nothing of it is lost from the count', () => {
  const { requests, clock } = open();
  for (let i = 0; i < 20_000; i++) {
    clock.micros = Math.floor((i / 20_000) * SECOND);
    requests.add(stored('pump'));
  }
  const kept = requests.list('pump');
  expect(kept.length).toBeLessThanOrEqual(50);
  expect(kept.reduce((sum, { more }) => sum + more + 1, 0)).toBe(20_000);
  expect(kept.reduce((sum, one) => sum + one.stored, 0)).toBe(20_000);
});

test('a refusal among thousands that were stored is kept beside them', () => {
  const { requests } = open();
  for (let i = 0; i < 500; i++) requests.add(stored('pump'));
  requests.add(refused('pump', 'record 1: no'));
  for (let i = 0; i < 500; i++) requests.add(stored('pump'));
  expect(requests.list('pump').filter(({ isRefused }) => isRefused)).toMatchObject([
    { message: 'record 1: no' },
  ]);
});

test('a loud device costs a silent one nothing', () => {
  const { requests, clock } = open();
  requests.add(stored('silent'));
  for (let i = 0; i < 10_000; i++) {
    clock.micros = i * SECOND;
    requests.add(stored('loud'));
    requests.add(refused(null, `nobody ${i}`));
  }
  expect(requests.list('silent')).toHaveLength(1);
  expect(requests.list('loud').length).toBeGreaterThanOrEqual(50);
});

test('however many devices there are, memory is bounded and each one that sent last has something', () => {
  const { requests, clock } = open();
  for (let round = 0; round < 3; round++)
    for (let i = 0; i < 12_000; i++) {
      clock.micros += SECOND;
      requests.add(stored(`device ${i}`));
    }
  expect(requests.list().length).toBeLessThanOrEqual(24_000);
  for (const i of [0, 6000, 11_999]) expect(requests.list(`device ${i}`).length, `${i}`).toBeGreaterThan(0);
});

test('who only claims to be a device does not push out what it sent', () => {
  const { requests, clock } = open();
  for (let i = 0; i < 30; i++) {
    clock.micros += SECOND;
    requests.add(stored('pump'));
  }
  for (let i = 0; i < 5000; i++) {
    clock.micros += SECOND;
    requests.add({ ...refused('pump', `stranger ${i}`), isClaim: true, token: 'abcdefghijklmnopq' });
    requests.add(refused(null, 'others'));
  }
  const kept = requests.list('pump');
  expect(kept.filter(({ isRefused }) => !isRefused)).toHaveLength(30);
  expect(kept.find(({ isRefused }) => isRefused)).toMatchObject({ token: 'abcd', isClaim: true });
});

test('bursts are announced once, with what was refused of them, to whom they belong', () => {
  vi.useFakeTimers();
  const { requests, heard } = open();
  for (let i = 0; i < 1000; i++) requests.add(stored('pump'));
  requests.add(refused('pump', 'no'));
  requests.add(refused(null, 'unknown'));
  vi.advanceTimersByTime(1000);
  requests.add(stored('pump'));
  requests.close();
  vi.useRealTimers();
  const pump = { account_id: 'a', project_id: 'p', device_id: 'pump' };
  expect(heard).toEqual([
    { ...pump, count: 1001, refused: 1 },
    { account_id: OWNER, project_id: '', device_id: null, count: 1, refused: 1 },
    { ...pump, count: 1, refused: 0 },
  ]);
});

test('against a list of everything: what is kept of a device is its last, in order, and each was sent', () => {
  const step = fc.record({
    device: fc.constantFrom('a', 'b', 'c', null),
    refused: fc.boolean(),
    after: fc.constantFrom(0, 1000, SECOND),
    message: fc.constantFrom('x', 'y'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const { requests, clock } = open();
      const sent = new Map<string, number>();
      for (const { device, refused: isRefused, after, message } of steps) {
        clock.micros += after;
        requests.add(isRefused || device === null ? refused(device, message) : stored(device));
        sent.set(device ?? '', (sent.get(device ?? '') ?? 0) + 1);
      }
      for (const device of ['a', 'b', 'c']) {
        const kept = requests.list(device);
        expect(kept.map(({ id }) => id)).toEqual(kept.map(({ id }) => id).toSorted((x, y) => y - x));
        const counted = kept.reduce((sum, { more }) => sum + 1 + more, 0);
        expect(counted).toBeLessThanOrEqual(sent.get(device) ?? 0);
        if (kept.length < 50) expect(counted).toBe(sent.get(device) ?? 0);
      }
    }),
  );
});

test('what was deleted is not shown by what was seen of it', () => {
  const { requests } = open();
  requests.add(stored('pump', '{"secret_reading":7}'));
  requests.add(stored('valve'));
  requests.forgetBodies('pump');
  expect(requests.list('pump')).toMatchObject([{ body: null, stored: 1 }]);
  requests.forget('pump');
  expect(requests.list('pump')).toEqual([]);
  expect(requests.list().map(({ group }) => group.owner.device_id)).toEqual(['valve']);
});

test('where nobody knows what was deleted no body of a device is shown, and those of programs are', () => {
  const { requests } = open();
  requests.add(stored('pump', '{"secret_reading":7}'));
  requests.add({ ...stored('valve', '{"a":1}'), device: undefined, key: { account_id: 'own', key_id: 'k' } });
  requests.forgetAllBodies();
  expect(requests.list().map(({ body }) => body)).toEqual(['{"a":1}', null]);
});

const token = fc.string({
  unit: fc.constantFrom(...Array.from('abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789')),
  minLength: 40,
  maxLength: 40,
});

test('no token is seen in an excerpt, wherever in a body it stands and whatever is around it', () => {
  fc.assert(
    fc.property(
      token,
      fc.string({ unit: fc.constantFrom('ä', ' ', '"', '{', ',', '漢', 'x', '\u{1F321}'), maxLength: 3000 }),
      fc.string({ maxLength: 200 }),
      fc.boolean(),
      (secret, before, after, isKey) => {
        const body = Buffer.from(`${before} ${isKey ? 'fb_' : ''}${secret} ${after}`);
        const shown = excerptOf(body) ?? '';
        for (let at = 0; at + 8 <= secret.length; at++) expect(shown).not.toContain(secret.slice(at, at + 8));
        expect(shown.length).toBeLessThanOrEqual(2049);
      },
    ),
  );
});

test.each([
  ['{"token":"short one","t":21.5}', '{"token":"(hidden)","t":21.5}'],
  ['{"device_password": 12345, "t": 1}', '{"device_password": "(hidden)", "t": 1}'],
  ['{"apiKey":"say \\"x\\" now","t":1}', '{"apiKey":"(hidden)","t":1}'],
  ['/v2/projects?api_key=abc&limit=5', '/v2/projects?api_key=(hidden)&limit=5'],
  ['{"My-Api_Key": "abc"}', '{"My-Api_Key": "(hidden)"}'],
  ['/x?PASSPHRASE=a&page=2', '/x?PASSPHRASE=(hidden)&page=2'],
  ['/x?Authorization=a&clientSecret=b', '/x?Authorization=(hidden)&clientSecret=(hidden)'],
  [`/x/${'aB3'.repeat(13)}/${'aB3'.repeat(13)}x/y`, `/x/${'aB3'.repeat(13)}/(hidden)/y`],
  ['{"temperature":21.5,"state":"idle"}', '{"temperature":21.5,"state":"idle"}'],
  ['/v2/capital?rapid=1', '/v2/capital?rapid=1'],
])('%s is shown as %s', (text, shown) => {
  expect(hideSecrets(text)).toBe(shown);
});

test('of an unknown token four characters are shown, and of a short one less than a quarter', () => {
  expect(['x'.repeat(40), 'secret12', 'abc', ''].map(beginningOf)).toEqual(['xxxx', 'se', '', '']);
});

test('a device sends as long as something of it was stored lately; who is refused does not', () => {
  const { requests, clock } = open();
  requests.add(stored('early'));
  clock.micros = 10 * SECOND;
  for (let n = 0; n < 1000; n++) requests.add(stored('pump'));
  requests.add(stored('valve'));
  requests.add(refused('wrong', 'record 1: no'));
  requests.add(refused(null, 'nobody'));
  expect([requests.sending(10 * SECOND), requests.sending(0), requests.sending(11 * SECOND)]).toEqual([
    2, 3, 0,
  ]);
});
