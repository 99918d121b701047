import { expect, test } from 'vitest';
import {
  exampleOf,
  replyText,
  replyWords,
  whyUnread,
} from '../../../../../renderer/views/device/connect/message-words.ts';

test('an example is the newest values of a device, or the reading of the snippets', () => {
  expect(exampleOf([])).toBe('{"temperature": 21.5}');
  const facts = [
    { key: '__proto__', value: 1.5 },
    { key: 'state', value: 'on' },
    { key: 'ok', value: true },
    { key: 'log', value: 'begins and is cut…' },
  ];
  expect(exampleOf(facts)).toBe('{\n  "__proto__": 1.5,\n  "state": "on",\n  "ok": true\n}');
  expect(exampleOf(facts.slice(0, 2))).toBe('{"__proto__": 1.5, "state": "on"}');
});

test('what cannot be read is said before it is sent, in NDJSON with its line', () => {
  expect(whyUnread('{"a": 1}', false)).toBeNull();
  expect(whyUnread('{"a": 1}\n{"a": 2}', false)).toBe('This is no JSON.');
  expect(whyUnread('{"a": 1}\n{"a": 2}\n', true)).toBeNull();
  expect(whyUnread('{"a": 1}\n{"a"', true)).toBe('Line 2 is no JSON.');
  expect(whyUnread('', false)).toBe('This is no JSON.');
});

test('an answer of HTTP is its status, the headers that say something, and its body', () => {
  const http = {
    status: 429,
    reason: 'Too Many Requests',
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'Retry-After', value: '1' },
      { name: 'Date', value: 'Mon, 02 Mar 2026 20:30:21 GMT' },
      { name: 'Connection', value: 'keep-alive' },
    ],
    body: '{"success":false}',
  };
  expect(replyWords({ http, mqtt: null })).toBe('429 Too Many Requests');
  expect(replyText({ http, mqtt: null })).toBe(
    'Content-Type: application/json\nRetry-After: 1\n\n{"success":false}',
  );
});

test('an answer of MQTT is its packet, reason code and reason string', () => {
  const mqtt = { packet: 'PUBACK', reason_code: 0x99, reason_string: 'record 1 is no object' };
  expect(replyWords({ http: null, mqtt })).toBe('PUBACK, reason code 0x99');
  expect(replyText({ http: null, mqtt })).toBe('Reason String: record 1 is no object');
  expect(replyText({ http: null, mqtt: { ...mqtt, reason_code: 0, reason_string: null } })).toBeNull();
  expect([replyWords({ http: null, mqtt: null }), replyText({ http: null, mqtt: null })]).toEqual([
    null,
    null,
  ]);
});
