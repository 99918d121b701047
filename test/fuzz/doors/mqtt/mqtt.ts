import { deepStrictEqual, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import { parser, type Packet } from 'mqtt-packet';
import { createWebSocketStream, WebSocket } from 'ws';
import { connectOf, rawClient } from '../../../contract/mqtt/world.ts';
import { countedAs, doorOf } from '../door.ts';
import { mutated, mutations, type Mutation } from '../mutate.ts';
import { bytesOf, bytesOfPacket, connect, costly, input, type Input } from './mqtt-packets.ts';
import type { Stage } from '../stage.ts';

/* What comes in by the MQTT door, over TCP and over WebSockets, while a well-behaved client beside it stores. */

interface Talk {
  readonly version: 4 | 5;
  readonly over: 'tcp' | 'websocket';
  /** `waits`: for the CONNACK; `pipelined`: what follows comes in the same write; `wrong`: a CONNECT that is odd or damaged. */
  readonly begins: 'waits' | 'pipelined' | 'wrong' | 'not';
  readonly connect: Packet;
  readonly damage: readonly Mutation[];
  readonly inputs: readonly Input[];
  /** Bytes that are written at once, at least. */
  readonly piece: number;
  readonly ends: 'ends' | 'resets';
}

/** Packets of a conversation, but for those that cost more. */
const INPUTS = 8;
/** ms that a service has to end a conversation that its client has ended. */
const PATIENCE_MS = 2000;
/** Pieces that a conversation is cut into at most. */
const MOST_PIECES = 200;

const talks: fc.Arbitrary<Talk> = fc.record({
  version: fc.constantFrom<4 | 5>(4, 5),
  over: fc.oneof(
    { arbitrary: fc.constant('tcp' as const), weight: 9 },
    { arbitrary: fc.constant('websocket' as const), weight: 1 },
  ),
  begins: fc.constantFrom<Talk['begins']>(
    'waits',
    'waits',
    'waits',
    'pipelined',
    'pipelined',
    'wrong',
    'not',
  ),
  connect: connect() as fc.Arbitrary<unknown> as fc.Arbitrary<Packet>,
  damage: mutations(3),
  inputs: fc.oneof(
    { arbitrary: fc.array(input, { minLength: INPUTS, maxLength: INPUTS }), weight: 60 },
    fc.array(costly, { minLength: 1, maxLength: 2 }),
  ),
  piece: fc.oneof({ arbitrary: fc.constant(1e9), weight: 6 }, fc.constantFrom(1, 7, 1000)),
  ends: fc.oneof({ arbitrary: fc.constant('ends' as const), weight: 4 }, fc.constant('resets' as const)),
});

async function opened(stage: Stage, over: Talk['over']): Promise<Duplex> {
  if (over === 'tcp') {
    const socket = connectTo(stage.mqttPort, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }
  const socket = new WebSocket(`ws://127.0.0.1:${stage.port}/mqtt`, 'mqtt');
  await once(socket, 'open');
  return createWebSocketStream(socket);
}

function bytesOfTalk({ version, begins, connect: odd, damage, inputs }: Talk, stage: Stage) {
  const { mqtt } = stage.victim;
  const right = connectOf({ ...mqtt, project: '' }, version, {
    clientId: `c${inputs.length % 3}`,
    clean: damage.length > 1,
  });
  const first = {
    waits: () => bytesOfPacket(right, version, mqtt),
    pipelined: () => bytesOfPacket(right, version, mqtt),
    wrong: () => mutated(bytesOfPacket(odd, version, mqtt), damage),
    not: () => Buffer.alloc(0),
  }[begins]();
  return { first, rest: Buffer.concat(inputs.map((one) => bytesOf(one, version, mqtt).bytes)) };
}

/** What the service says is MQTT, a CONNACK first and once. */
function listenTo(stream: Duplex, version: 4 | 5): { readonly said: Packet[]; readonly faults: unknown[] } {
  const said: Packet[] = [];
  const faults: unknown[] = [];
  const reader = parser({ protocolVersion: version });
  reader.on('packet', (packet) => said.push(packet));
  reader.on('error', (error) => faults.push(error));
  stream.on('data', (bytes: Buffer) => void reader.parse(bytes));
  return { said, faults };
}

async function talk(stage: Stage, one: Talk): Promise<void> {
  const stream = await opened(stage, one.over);
  stream.on('error', () => {});
  const closed = new Promise<void>((resolve) => void stream.once('close', () => resolve()));
  const { said, faults } = listenTo(stream, one.version);
  const { first, rest } = bytesOfTalk(one, stage);
  if (one.begins === 'waits') {
    stream.write(first);
    // A WebSocket ends before it closes.
    const ended = new Promise<boolean>((resolve) => void stream.once('end', () => resolve(true)));
    const heard = () => once(stream, 'data').then(() => said.length > 0);
    while (!(await Promise.race([heard(), ended, closed.then(() => true)])));
  }
  const bytes = one.begins === 'waits' ? rest : Buffer.concat([first, rest]);
  const step = Math.max(one.piece, Math.ceil(bytes.length / MOST_PIECES));
  for (let at = 0; at < bytes.length && stream.writable; at += step) {
    stream.write(bytes.subarray(at, at + step));
    if (step < bytes.length) await setImmediate();
  }
  if (one.ends === 'resets') stream.destroy();
  else stream.end();
  const late = new AbortController();
  const isOver = await Promise.race([
    closed.then(() => true),
    delay(PATIENCE_MS, false, { signal: late.signal }).catch(() => false),
  ]);
  late.abort();
  ok(isOver, 'the service ends a conversation that its client has ended');
  // A CONNECT that is damaged, or comes among the inputs, may have asked for the other version.
  if (one.begins === 'wrong' || one.begins === 'not') return;
  deepStrictEqual(faults, [], 'what the service says is MQTT');
  for (const [n, { cmd }] of said.entries())
    deepStrictEqual(cmd === 'connack', n === 0, `${cmd} as packet ${n} of the service`);
}

/** Stores a record after the other until it is told to stop, and once more then. Rejects where one is not acknowledged. */
async function behave({ mqttPort, mqttDevice: device }: Stage, over: AbortSignal): Promise<void> {
  const client = await rawClient(mqttPort, 5);
  client.send(connectOf({ ...device, project: '' }, 5));
  deepStrictEqual((await client.next())?.cmd, 'connack');
  for (let isLast = false; !isLast;) {
    isLast = over.aborted;
    device.most++;
    const payload = JSON.stringify({ well: device.most });
    client.send({
      cmd: 'publish',
      topic: device.id,
      payload,
      qos: 1,
      messageId: 1,
      dup: false,
      retain: false,
    });
    const answer = await client.next();
    deepStrictEqual([answer?.cmd, answer && 'reasonCode' in answer && answer.reasonCode], ['puback', 0]);
    device.least++;
  }
  client.end();
}

export const mqtt = countedAs(
  INPUTS,
  doorOf(
    'mqtt',
    talks,
    async (stage, inputs) => {
      await stage.revive();
      const over = new AbortController();
      const behaving = behave(stage, over.signal);
      await Promise.all([
        Promise.all(inputs.map((one) => talk(stage, one))).finally(() => over.abort()),
        behaving,
      ]);
    },
    { most: 24 },
  ),
);
