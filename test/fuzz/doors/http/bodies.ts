import { ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import { expectAnswer, shown, storedBy } from '../answers.ts';
import { doorOf } from '../door.ts';
import { mutated, mutations } from '../mutate.ts';
import { payload } from './payloads.ts';
import type { Stage } from '../stage.ts';
import { repliesIn, speak, type Reply } from '../mqtt/wire.ts';

/* What devices send: any bytes, framed rightly in every way there is, and wrongly. */

interface Sent {
  readonly text: string;
  readonly changes: Parameters<typeof mutated>[1];
  readonly type: string;
  readonly lines: readonly string[];
  readonly framing: Framing;
  /** Bytes of a chunk of the framing, or that a wrong length is off by. */
  readonly size: number;
}

const WHOLE = ['length', 'chunks', 'chunks with more', 'expects'] as const;
const BROKEN = [
  'too few bytes',
  'too many bytes',
  'broken chunks',
  'both lengths',
  'expects and leaves',
] as const;
type Framing = (typeof WHOLE)[number] | (typeof BROKEN)[number];

const RECEIPT = 'Idempotency-Key: ';

const sent: fc.Arbitrary<Sent> = fc.record({
  text: payload,
  changes: fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, mutations(4)),
  type: fc.oneof(
    { arbitrary: fc.constantFrom('application/json', 'application/x-ndjson'), weight: 6 },
    fc.constantFrom(
      '',
      'text/plain',
      'APPLICATION/X-NDJSON; charset=utf-16',
      'application/json; x="y',
      'a/b/c',
      '\x80',
    ),
  ),
  lines: fc.oneof(
    { arbitrary: fc.constant([]), weight: 4 },
    fc.constantFrom('Content-Encoding: gzip', 'Content-Encoding: identity').map((line) => [line]),
    // Few, so that a device forgets none of them, and one comes again.
    fc
      .constantFrom('', 'a', 'b', '{"a":1}', 'x'.repeat(255), 'x'.repeat(256), 'ä')
      .map((key) => [`${RECEIPT}${key}`]),
  ),
  framing: fc.oneof(
    { arbitrary: fc.constantFrom<Framing>(...WHOLE), weight: 6 },
    fc.constantFrom<Framing>(...BROKEN),
  ),
  size: fc.oneof(fc.constantFrom(1, 2, 3, 16, 4096), fc.integer({ min: 1, max: 300 })),
});

function chunked(bytes: Buffer, size: number, extension: string, trailer: string): Buffer {
  const parts: Buffer[] = [];
  const step = Math.max(size, Math.ceil(bytes.length / 2000));
  for (let at = 0; at < bytes.length; at += step) {
    const part = bytes.subarray(at, at + step);
    parts.push(Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`)]);
}

/** The head without its end, and the body as it is framed. */
function framed({ framing, size }: Sent, bytes: Buffer): { lines: readonly string[]; body: Buffer } {
  const length = `Content-Length: ${bytes.length}`;
  const chunks = 'Transfer-Encoding: chunked';
  switch (framing) {
    case 'length':
      return { lines: [length], body: bytes };
    case 'expects':
    case 'expects and leaves':
      return { lines: [length, 'Expect: 100-continue'], body: bytes };
    case 'chunks':
      return { lines: [chunks], body: chunked(bytes, size, '', '') };
    case 'chunks with more':
      return { lines: [chunks], body: chunked(bytes, size, ';a="b"', 'X-After: 1\r\n') };
    case 'too few bytes':
      return { lines: [`Content-Length: ${bytes.length + size}`], body: bytes };
    case 'too many bytes':
      return { lines: [`Content-Length: ${Math.max(0, bytes.length - size)}`], body: bytes };
    case 'broken chunks':
      return {
        lines: [chunks],
        body: mutated(chunked(bytes, size, '', ''), [{ kind: 'set', at: 0, length: 1, byte: 0x67 }]),
      };
    case 'both lengths':
      return { lines: [length, chunks], body: chunked(bytes, size, '', '') };
  }
}

function requestOf(one: Sent, stage: Stage): { head: Buffer; body: Buffer } {
  const { lines, body } = framed(one, mutated(Buffer.from(one.text), one.changes));
  const all = [
    'POST /integrations/http HTTP/1.1',
    'Host: localhost',
    `Authorization: Basic ${stage.device.token}`,
    `Content-Type: ${one.type}`,
    ...one.lines,
    ...lines,
  ];
  return { head: Buffer.from(`${all.join('\r\n')}\r\n\r\n`, 'latin1'), body };
}

const LAST = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');

/** One after the other on one connection, without waiting: each must be answered. */
async function sendWhole(stage: Stage, inputs: readonly Sent[]): Promise<void> {
  if (inputs.length === 0) return;
  const requests = inputs.map((one) => requestOf(one, stage));
  const pieces = requests.flatMap(({ head, body }) => [head, body]);
  const replies = repliesIn(await speak(stage.port, [...pieces, LAST], 'waits'));
  for (const [at, reply] of replies.entries()) {
    const request = requests[at];
    if (request) expectAnswer(reply, `${shown(request.head)}\n${shown(request.body)}`);
  }
  for (const [at, one] of inputs.entries()) acknowledge(stage, one, replies[at]);
  if (replies.at(-1)?.headers.get('connection') !== 'close') {
    // A connection that closes with a body unread that nobody asked for may be reset, and its answers with it.
    ok(
      inputs.some(({ framing }) => framing === 'expects'),
      'the last answer says that it is the last',
    );
    return;
  }
  // What is refused before its body has come ends the connection: who comes behind hears nothing.
  if (replies.length <= inputs.length) await sendWhole(stage, inputs.slice(replies.length));
}

/** What comes again with a receipt is acknowledged again, and stored once. What is not answered may be stored. */
function acknowledge({ device }: Stage, { text, lines }: Sent, reply: Reply | undefined): void {
  const receipt = lines.find((line) => line.startsWith(RECEIPT)) ?? null;
  const before = receipt === null ? undefined : device.receipts.get(receipt);
  const stored = reply ? storedBy(reply) : mostIn(Buffer.from(text));
  if (stored === 0 || before === 'stored') return;
  device.most += stored;
  if (reply && before !== 'perhaps') device.least += stored;
  if (receipt !== null) device.receipts.set(receipt, reply ? 'stored' : 'perhaps');
}

/** Each record has a brace, and a change of the bytes puts in no more than 400. */
const mostIn = (bytes: Uint8Array) => bytes.filter((byte) => byte === 0x7b).length + 1600;

/** Alone on a connection. Nothing of it is stored, but where what the head promises is whole without the rest. */
async function sendBroken(stage: Stage, { lines, ...one }: Sent): Promise<void> {
  const { head, body } = requestOf(
    { ...one, lines: lines.filter((line) => !line.startsWith(RECEIPT)) },
    stage,
  );
  const isMore = one.framing === 'too many bytes';
  if (isMore) stage.device.most += mostIn(body);
  const pieces = one.framing === 'expects and leaves' ? [head] : [head, body];
  const said = await speak(stage.port, pieces, isMore ? 'gives up' : 'leaves');
  if (!isMore) return;
  for (const reply of repliesIn(said)) expectAnswer(reply, `${shown(head)}\n${shown(body)}`);
}

export const bodies = doorOf('bodies', sent, async (stage, inputs) => {
  const isWhole = ({ framing }: Sent) => WHOLE.some((one) => one === framing);
  await sendWhole(stage, inputs.filter(isWhole));
  await Promise.all(inputs.filter((one) => !isWhole(one)).map((one) => sendBroken(stage, one)));
});
