import { deepStrictEqual } from 'node:assert/strict';
import * as fc from 'fast-check';
import { expectAnswer } from '../answers.ts';
import { doorOf } from '../door.ts';
import { lists } from '../lists.ts';
import { ADDRESSES, innocentLine } from '../requests.ts';
import type { Stage } from '../stage.ts';
import { repliesIn, speak } from '../mqtt/wire.ts';

/* Whole requests, many on one connection without waiting for answers: any path and query, with a right key or without. */

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly lines: readonly string[];
  readonly key: 'right' | 'wrong' | 'none';
}

/** Written as they are, whatever they hold. */
const SEGMENTS = [
  '',
  ...(
    '. .. %2e%2e %00 % %zz a%2Fb %ED%A0%80 %C0%AF ~ ;a=b * :id {id} constructor __proto__ null v2 ' +
    '_local v1 projects devices data keys records status static console integrations http series ' +
    'summary impact functions widgets key-settings notes alarms corrections history views'
  ).split(' '),
];

const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
const anySegment = fc.oneof(
  { arbitrary: fc.constantFrom('$project', '$device'), weight: 3 },
  { arbitrary: fc.constantFrom(...SEGMENTS), weight: 3 },
  fc.string({ unit: 'binary', maxLength: 12 }).map(encoded),
);

const path = fc.oneof(
  fc.constantFrom(...ADDRESSES.filter((address) => address.startsWith('/') && !address.includes('?'))),
  fc.array(anySegment, { maxLength: 9 }).map((segments) => `/${segments.join('/')}`),
);

const PARAMETERS = [
  '',
  ...(
    'page limit range start end keys width format search tags sort source account_id token __proto__ ' +
    'constructor'
  ).split(' '),
];
const TEXTS = [
  '',
  ...(
    '0 1 -1 10000 10001 9007199254740993 1e3 0x10 %201 +1 NaN all time csv ndjson a a,b , ,,, ' +
    '2026-01-01T00:00:00Z 2026-02-30T00:00:00Z +012026-01-01T00:00:00Z 0000-01-01T00:00:00Z ' +
    '1700-01-01T00:00:00.000000001Z 2200-12-31T23:59:59+14:00 % %00 %ff & ='
  ).split(' '),
];
const pair = fc
  .tuple(
    fc.constantFrom(...PARAMETERS),
    fc.oneof(
      { arbitrary: fc.constantFrom(...TEXTS), weight: 3 },
      fc.string({ unit: 'binary', maxLength: 30 }).map(encoded),
    ),
  )
  .map(([name, value]) => `${name}=${value.replaceAll(' ', '%20')}`);
const query = fc.oneof(
  { arbitrary: fc.array(pair, { maxLength: 7 }).map((pairs) => pairs.join('&')), weight: 6 },
  fc.constantFrom(
    '?',
    '&&&',
    '=',
    `keys=${'k,'.repeat(3000)}`,
    'a=1&'.repeat(2000),
    `width=10000&keys=${'%2C'.repeat(2000)}`,
  ),
);

const anywhere = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'TRACE'),
  path,
  query,
  key: fc.constantFrom('right', 'right', 'right', 'wrong', 'none'),
});
const listed = lists(pair).map((list) => ({ ...list, method: 'GET', key: 'right' as const }));

const asked: fc.Arbitrary<Asked> = fc
  .tuple(fc.oneof({ arbitrary: anywhere, weight: 2 }, listed), fc.array(innocentLine, { maxLength: 3 }))
  .map(([one, lines]) => ({ ...one, lines }));

function lineOf({ method, path: template, query: asks }: Asked, stage: Stage): string {
  const [, project = '', , device = ''] = stage.devicePath.split('/');
  const filled = template
    .replace('$v2', `/v2/${stage.devicePath}`)
    .replace('$local', `/_local/v1/${stage.devicePath}`)
    .replaceAll('$project', project)
    .replaceAll('$device', device);
  return `${method} ${filled}${asks === '' ? '' : `?${asks}`} HTTP/1.1`;
}

function headOf(one: Asked, stage: Stage): string {
  const keys = {
    right: [`Authorization: Bearer ${stage.key}`],
    wrong: ['Authorization: Bearer fb_x'],
    none: [],
  };
  return [lineOf(one, stage), 'Host: localhost', ...keys[one.key], ...one.lines, '', ''].join('\r\n');
}

const LAST = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

export const paths = doorOf(
  'paths',
  asked,
  async (stage, inputs) => {
    const bytes = Buffer.from(inputs.map((one) => headOf(one, stage)).join('') + LAST, 'latin1');
    const replies = repliesIn(await speak(stage.port, [bytes], 'waits'));
    deepStrictEqual(replies.length, inputs.length + 1, 'answers, with that to the last request');
    for (const [at, one] of inputs.entries()) {
      const reply = replies[at];
      if (reply) expectAnswer(reply, `${lineOf(one, stage)}\n${one.lines.join('\n')}`);
    }
  },
  { most: 64 },
);
