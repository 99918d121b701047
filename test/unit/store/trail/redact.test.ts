import { array, assert, constantFrom, dictionary, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { createApiKey, createDeviceToken } from '#core/vault/secrets.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { redact, redactFields, redactText } from '#core/store/trail/redact.ts';

const KEY = createApiKey(systemRandom);
const TOKEN = createDeviceToken(systemRandom);

test.each([
  ['hash', 'a'.repeat(64)],
  ['token_hash', 'a'.repeat(64)],
  ['api_key', 'x'],
  ['apiKey', 'x'],
  ['device_token', 'x'],
  ['password', 'x'],
  ['Wifi-Passphrase', 'x'],
  ['client_secret', 'x'],
  ['privateKey', { a: 1 }],
  ['Authorization', ['x']],
  ['wifi_psk', 'x'],
])('a field called %s is redacted, whatever it holds and however deep it is', (name, value) => {
  expect(redactFields({ a: [{ [name]: value }], [name]: value })).toEqual({
    a: [{ [name]: '(redacted)' }],
    [name]: '(redacted)',
  });
});

test.each([
  [`made ${KEY} today`, 'made (redacted) today'],
  [TOKEN, '(redacted)'],
  ['Authorization: Bearer abc.def-123456', 'Authorization: Bearer (redacted)'],
  ['send Bearer abc.def-123456 there', 'send Bearer (redacted) there'],
  ['mqtt://pump:4711@broker/x', 'mqtt://(redacted)@broker/x'],
  ['the password: hunter2, the pump: 3', 'the password: (redacted), the pump: 3'],
  ['https://host/?token=abc&unit=1', 'https://host/?token=(redacted)&unit=1'],
  ['-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n', '(redacted)\n'],
])('%s', (text, told) => {
  expect(redactText(text)).toBe(told);
});

test.each([
  'Boiler room, basic sensors',
  'Tokens of the bus: none',
  '2026-03-02T20:30:21.202946Z',
  '01890a5d-ac96-774b-bcce-b302099a8057',
  'https://example.org/avatar.png',
  'pass the valve',
])('"%s" is told as it is', (text) => {
  expect(redactText(text)).toBe(text);
});

test('what a person notes beside a secret stays readable, and null stays null', () => {
  expect(redactFields({ token: null, name: 'Pump', keep_v2_deletes: true, n: 0 })).toEqual({
    token: null,
    name: 'Pump',
    keep_v2_deletes: true,
    n: 0,
  });
});

/** JSON with secrets at its leaves, and in the names of fields. */
const leaf = constantFrom<unknown>(KEY, TOKEN, `x ${KEY}`, `a=${TOKEN};`, 7, null, 'plain');
const name = oneof(string({ maxLength: 6 }), constantFrom(KEY, TOKEN, '__proto__', 'token'));
const inner = dictionary(name, oneof(leaf, array(leaf, { maxLength: 3 })), { maxKeys: 3 });
const tree = dictionary(name, oneof(leaf, inner, array(inner, { maxLength: 2 })), { maxKeys: 3 });

test('no secret of this program is in what is told, wherever it stands', () => {
  assert(
    property(tree, (value) => {
      const text = JSON.stringify(redact(value));
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(TOKEN);
    }),
  );
});

test('what is deeper than the stack is cut, and told to be', () => {
  let deep: unknown = KEY;
  for (let n = 0; n < 50_000; n++) deep = [deep];
  const text = JSON.stringify(redact(deep));
  expect(text).toContain('(nested deeper)');
  expect(text).not.toContain(KEY);
});
