import { deepStrictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Stage } from '../stage.ts';

/* A WebSocket of the console byte by byte (RFC 6455): a client of its own, so that it can be wrong. */

export const BINARY = 0x82;
export const PING = 0x89;

/** A frame as a client sends it; `said` is the length that its head claims. */
export function frameOf(
  first: number,
  bytes: Uint8Array,
  { said = bytes.length, masked = true } = {},
): Buffer {
  const mask = masked ? randomBytes(4) : Buffer.alloc(0);
  const bit = masked ? 0x80 : 0;
  const head = Buffer.alloc(said < 126 ? 2 : said < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = bit | Math.min(said < 65_536 ? 126 : 127, said);
  if (head.length === 4) head.writeUInt16BE(said, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(said), 2);
  const body = masked ? Buffer.from(bytes).map((byte, at) => byte ^ (mask[at % 4] ?? 0)) : Buffer.from(bytes);
  return Buffer.concat([head, mask, body]);
}

/** What a browser has that opened the link. */
interface Visitor {
  readonly cookie: string;
  readonly secret: string;
}
/** One for all windows of a stage's service, which listens on another port after each start. */
const visitors = new WeakMap<Stage, { readonly port: number; readonly visitor: Promise<Visitor> }>();

function visitorOf(stage: Stage): Promise<Visitor> {
  const { port } = stage;
  const known = visitors.get(stage);
  if (known?.port === port) return known.visitor;
  const visitor = openLink(stage);
  visitors.set(stage, { port, visitor });
  return visitor;
}

async function openLink(stage: Stage): Promise<Visitor> {
  const asked = get(new URL((await stage.consoleLink()) ?? 'none'));
  const [{ headers }] = (await once(asked, 'response')) as [IncomingMessage];
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const secret = /#let-in=([\w-]{43})$/.exec(headers.location ?? '')?.[1] ?? '';
  return { cookie, secret };
}

/** A WebSocket of the console, past its handshake, byte by byte. */
export async function openSocket(stage: Stage): Promise<Socket> {
  const { port } = stage;
  const { cookie, secret } = await visitorOf(stage);
  const socket = connect(port, '127.0.0.1');
  const lines = [
    'GET /console/socket HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Origin: http://127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    `Sec-WebSocket-Protocol: fieldbench, let-in.${secret}`,
    `Cookie: ${cookie}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  const end = answer.indexOf('\r\n\r\n');
  deepStrictEqual([answer.toString('latin1', 9, 12), end > 0], ['101', true], answer.toString('latin1'));
  socket.unshift(answer.subarray(end + 4));
  return socket;
}

export interface Heard {
  readonly code: number;
  readonly bytes: Buffer;
}

/** Whole frames at the beginning of what a service sent, which masks and splits none. */
function framesIn(said: Buffer): { frames: Heard[]; rest: Buffer } {
  const frames: Heard[] = [];
  let rest = said;
  while (rest.length >= 2) {
    const short = rest.readUInt8(1);
    const at = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (rest.length < at) break;
    const length =
      short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    if (rest.length < at + length) break;
    frames.push({ code: rest.readUInt8(0) & 15, bytes: rest.subarray(at, at + length) });
    rest = rest.subarray(at + length);
  }
  return { frames, rest };
}

export const BINARY_FRAME = 2;
export const CLOSE_FRAME = 8;
export const PING_FRAME = 9;
export const PONG_FRAME = 10;
/** A frame that promises more than comes is waited for until its sender gives up. */
const PATIENCE_MS = 100;

/**
 * Sends inputs one behind the other, each with a ping, and hears what comes until the answer to the last ping, the end, or
 * nothing for a while. `answered`: how many of the pings were; the input behind those ended the conversation.
 */
export async function converse(
  socket: Socket,
  inputs: readonly Uint8Array[],
): Promise<{ readonly heard: readonly Heard[]; readonly answered: number }> {
  const heard: Heard[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let answered = 0;
  const { promise: over, resolve } = Promise.withResolvers<void>();
  socket.on('data', (piece) => {
    const read = framesIn(Buffer.concat([rest, piece]));
    ({ rest } = read);
    for (const one of read.frames) {
      heard.push(one);
      if (one.code === PONG_FRAME && one.bytes.toString() === markOf(answered)) answered++;
    }
    if (answered === inputs.length) resolve();
  });
  socket.on('error', () => resolve());
  socket.on('close', () => resolve());
  socket.setTimeout(PATIENCE_MS, () => resolve());
  socket.write(Buffer.concat(inputs.flatMap((bytes, at) => [bytes, frameOf(PING, Buffer.from(markOf(at)))])));
  await over;
  socket.destroy();
  return { heard, answered };
}

const markOf = (input: number) => `behind input ${input}`;
