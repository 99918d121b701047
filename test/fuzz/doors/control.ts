import { deepStrictEqual, ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import { shown } from './answers.ts';
import { doorOf } from './door.ts';
import { bytesOf, head, piecesOf, target, type Head } from './http/heads.ts';
import type { Stage } from './stage.ts';
import { repliesIn, speak, type Reply } from './mqtt/wire.ts';

/* Requests as bytes at the socket of the data directory, whose owner alone gets that far. */

const ADDRESSES = [
  '/status',
  '/open',
  '/open?console',
  '/open?console=%zz',
  '/open#x',
  '/stop',
  '/stop/',
  '/STATUS',
  '/%73tatus',
  '/../status',
  '/',
  '//',
  '///status',
  '//[',
  '/\\x',
  '*',
  'status',
  'http://control/status',
  'http://[/status',
  'https://x:99999999/status',
  'file:///etc/passwd',
];

const asked: fc.Arbitrary<Head> = fc
  .tuple(
    head,
    target(ADDRESSES),
    fc.oneof({ arbitrary: fc.constantFrom('GET', 'POST'), weight: 3 }, fc.constant(null)),
  )
  .map(([one, address, method]) => ({ ...one, target: address, method: method ?? one.method }));

function expectAnswer({ status, body }: Reply, about: string): void {
  const what = `${about}\n→ ${status} ${body.slice(0, 500)}`;
  // Nobody runs a service under fuzz who would let it be stopped from outside; 400 and 417 are Node's own.
  ok([200, 400, 403, 404, 417].includes(status), what);
  if (body === '') return;
  const envelope = JSON.parse(body) as Record<string, unknown>;
  deepStrictEqual(Object.keys(envelope), ['success', 'action', 'status', 'message', 'data'], what);
  deepStrictEqual([envelope['success'], envelope['status']], [status === 200, status], what);
}

async function send(stage: Stage, one: Head): Promise<void> {
  const bytes = bytesOf(one, stage.key);
  const said = await speak(stage.socket, piecesOf(bytes, one), one.leaves ? 'leaves' : 'gives up');
  if (one.leaves) return;
  for (const reply of repliesIn(said)) expectAnswer(reply, shown(bytes));
}

export const control = doorOf(
  'control',
  asked,
  async (stage, inputs) => {
    await Promise.all(inputs.map((one) => send(stage, one)));
  },
  { most: 96 },
);
