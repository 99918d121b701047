import { ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import { TOPICS } from '#shared/domain/events.ts';
import { operationIds } from '#shared/operations/index.ts';
import { decodeMessage, type ServerMessage } from '#shared/bridge/wire.ts';
import { doorOf } from '../door.ts';
import { mutated, mutations } from '../mutate.ts';
import type { Stage } from '../stage.ts';
import {
  BINARY,
  BINARY_FRAME,
  CLOSE_FRAME,
  converse,
  frameOf,
  openSocket,
  PING,
  PING_FRAME,
  PONG_FRAME,
  type Heard,
} from './web-socket.ts';

/* What a window of the console sends: frames of RFC 6455 in any order, and messages of the bridge in them, right or wrong. */

type Frame =
  | {
      readonly kind: 'message';
      readonly message: string;
      readonly parts: readonly number[];
      readonly changes: Parameters<typeof mutated>[1];
    }
  | { readonly kind: 'flood'; readonly message: string; readonly times: number }
  | {
      readonly kind: 'raw';
      readonly first: number;
      readonly length: number;
      readonly mask: boolean;
      readonly bytes: Uint8Array;
    };

const number = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 5 }), weight: 9 },
  fc.constantFrom<unknown>(0, -1, 1.5, 1e300, '1', null),
);
const place = fc.constantFrom<Record<string, unknown>>(
  { project_id: '$project', device_id: '$device' },
  { project_id: '$project' },
  { project_id: 'x', device_id: '__proto__' },
  {},
);
const input = fc.oneof(
  {
    arbitrary: fc
      .tuple(
        place,
        fc.record(
          {
            page: fc.constantFrom<unknown>(1, 0, '1'),
            limit: fc.constantFrom<unknown>(10, 10_000, 1e9),
            range: fc.constantFrom('all', 'time'),
            width: fc.constantFrom<unknown>(800, 10_000, -1),
            keys: fc.constantFrom<unknown>(['a'], 'a', ['a', 'a', '']),
            format: fc.constantFrom('csv', 'ndjson', 'x'),
            start: fc.constantFrom<unknown>(0, '2026-01-01T00:00:00Z', 'x'),
            end: fc.constantFrom<unknown>(1e15, '2026-01-02T00:00:00Z', null),
            name: fc.constantFrom<unknown>('Named', '', 5),
            sample: fc.constantFrom('time,a\n1,2\n', '', '\0'),
            metadata: fc.jsonValue({ maxDepth: 4 }),
          },
          { requiredKeys: [] },
        ),
      )
      .map(([ids, fields]) => ({ ...fields, ...ids })),
    weight: 6,
  },
  fc.jsonValue(),
);
const anyMessage = fc
  .oneof(
    {
      arbitrary: fc.record({
        type: fc.constantFrom('call', 'upload', 'download', 'stream'),
        n: number,
        id: fc.oneof(
          { arbitrary: fc.constantFrom<string>(...operationIds), weight: 9 },
          fc.constantFrom('x', '__proto__'),
        ),
        input,
        size: fc.constantFrom<unknown>(0, 5, 1e15, -1),
      }),
      weight: 6,
    },
    {
      arbitrary: fc.record({ type: fc.constantFrom('chunk', 'end', 'more', 'cancel'), n: number }),
      weight: 4,
    },
    fc.record({
      type: fc.constantFrom('subscribe', 'unsubscribe'),
      topic: fc.oneof(fc.constantFrom<string>(...TOPICS), fc.constant('x')),
      filter: fc.oneof(place, fc.jsonValue()),
    }),
    fc.record({
      type: fc.constantFrom('reply', 'arrays', 'bytes', 'event', '__proto__'),
      n: number,
      arrays: fc.jsonValue(),
    }),
    fc.jsonValue(),
  )
  .map((made) => JSON.stringify(made));

const frame: fc.Arbitrary<Frame> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('message' as const),
      message: anyMessage,
      parts: fc.oneof(
        fc.constant([]),
        fc.constant([5]),
        fc.array(fc.constantFrom(0, 1, 8, 1000, -1, 1e9, 1.5), { maxLength: 4 }),
      ),
      changes: fc.oneof({ arbitrary: fc.constant([]), weight: 4 }, mutations(2)),
    }),
    weight: 8,
  },
  fc.record({
    kind: fc.constant('flood' as const),
    message: fc.constantFrom(
      '{"type":"more","n":1}',
      '{"type":"chunk","n":1}',
      '{"type":"cancel","n":1}',
      '{"type":"x"}',
      'ping',
    ),
    times: fc.integer({ min: 10, max: 300 }),
  }),
  fc.record({
    kind: fc.constant('raw' as const),
    first: fc.oneof(
      fc.constantFrom(0x81, 0x82, 0x02, 0x00, 0x80, 0x88, 0x89, 0x8a, 0xc2, 0xf2, 0x83),
      fc.nat(255),
    ),
    length: fc.oneof(
      { arbitrary: fc.constant(-1), weight: 6 },
      fc.constantFrom(0, 125, 65_536, 4_500_000, 2 ** 40, 2 ** 62),
    ),
    mask: fc.oneof({ arbitrary: fc.constant(true), weight: 5 }, fc.constant(false)),
    bytes: fc.uint8Array({ maxLength: 150 }),
  }),
);

/** As shared/bridge/wire.ts writes it, where the lengths are those of the parts. */
function messageBytes(text: string, parts: readonly number[]): Buffer {
  const json = Buffer.from(`[${text},${JSON.stringify(parts)}]`);
  const padded = (length: number) => (length + 7) & ~7;
  const room = parts.reduce((sum, part) => sum + (part > 0 && part < 5000 ? padded(Math.ceil(part)) : 0), 0);
  const bytes = Buffer.alloc(padded(4 + json.length) + room, 'a');
  bytes.writeUInt32LE(json.length, 0);
  json.copy(bytes, 4);
  return bytes;
}

function bytesOf(one: Frame, { victim }: Stage): Buffer {
  const filled = (text: string) =>
    text.replaceAll('$project', victim.project).replaceAll('$device', victim.device);
  if (one.kind === 'raw')
    return frameOf(one.first, one.bytes, {
      said: one.length < 0 ? one.bytes.length : one.length,
      masked: one.mask,
    });
  if (one.kind === 'message')
    return frameOf(BINARY, mutated(messageBytes(filled(one.message), one.parts), one.changes));
  const single =
    one.message === 'ping'
      ? frameOf(PING, Buffer.from('x'))
      : frameOf(BINARY, messageBytes(one.message, [5]));
  return Buffer.concat(Array.from({ length: one.times }, () => single));
}

/** With which a service ends a conversation (RFC 6455, 7.4.1); never with 1011, which is that it failed. */
const ITS_CLOSES = [1001, 1002, 1003, 1005, 1006, 1007, 1009];
/** What a client may say as it closes, which it hears again. */
const isClientsClose = (code: number) =>
  (code >= 3000 && code < 5000) || [1000, 1008, 1010, 1012, 1013, 1014].includes(code);

function expectFrame({ code, bytes }: Heard, about: string): void {
  ok([BINARY_FRAME, CLOSE_FRAME, PING_FRAME, PONG_FRAME].includes(code), `${about}: a frame of kind ${code}`);
  if (code === CLOSE_FRAME) {
    const why = bytes.length >= 2 ? bytes.readUInt16BE(0) : 1005;
    ok(ITS_CLOSES.includes(why) || isClientsClose(why), `${about}: closed with ${why}`);
  }
  if (code !== BINARY_FRAME) return;
  const message = decodeMessage(new Uint8Array(bytes)) as ServerMessage;
  if (message.type !== 'reply') return;
  ok(message.envelope.status < 500, `${about}\n→ ${JSON.stringify(message.envelope)}`);
}

/** Windows that talk at the same time. */
const WINDOWS = 4;

/** What ends a window's connection is followed by another one, with the inputs behind it. */
async function talk(stage: Stage, inputs: readonly Frame[]): Promise<void> {
  for (let left = inputs; left.length > 0;) {
    const socket = await openSocket(stage);
    const about = JSON.stringify(left).slice(0, 2000);
    const { heard, answered } = await converse(
      socket,
      left.map((one) => bytesOf(one, stage)),
    );
    for (const one of heard) expectFrame(one, about);
    left = left.slice(answered + 1);
  }
}

export const frames = doorOf(
  'frames',
  frame,
  async (stage, inputs) => {
    await stage.revive();
    const size = Math.ceil(inputs.length / WINDOWS);
    await Promise.all(
      Array.from({ length: WINDOWS }, (_, n) => talk(stage, inputs.slice(n * size, (n + 1) * size))),
    );
  },
  { most: 48 },
);
