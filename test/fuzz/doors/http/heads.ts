import * as fc from 'fast-check';
import { expectAnswer, shown } from '../answers.ts';
import { doorOf } from '../door.ts';
import { mutated, mutations } from '../mutate.ts';
import { ADDRESSES, headerLine, METHODS } from '../requests.ts';
import type { Stage } from '../stage.ts';
import { repliesIn, speak } from '../mqtt/wire.ts';

/* Requests as bytes on the socket, whether or not they are HTTP. */

export interface Head {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly lines: readonly string[];
  readonly hasKey: boolean;
  readonly lineBreak: string;
  readonly rest: string;
  readonly changes: Parameters<typeof mutated>[1];
  /** Bytes that arrive at once. */
  readonly piece: number;
  readonly leaves: boolean;
}

export const target = (addresses: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...addresses), weight: 4 },
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constant(`/${'x'.repeat(17_000)}`),
  );

export const head: fc.Arbitrary<Head> = fc.record({
  method: fc.oneof({ arbitrary: fc.constantFrom(...METHODS), weight: 4 }, fc.string({ maxLength: 12 })),
  target: target(ADDRESSES),
  version: fc.oneof(
    { arbitrary: fc.constant('HTTP/1.1'), weight: 8 },
    fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1 ', 'HTTP/99999999.1', ''),
  ),
  lines: fc.array(headerLine, { maxLength: 8 }),
  hasKey: fc.boolean(),
  lineBreak: fc.oneof({ arbitrary: fc.constant('\r\n'), weight: 9 }, fc.constantFrom('\n', '\r', '\r\n ')),
  rest: fc.oneof(
    { arbitrary: fc.constant(''), weight: 4 },
    fc.constantFrom(
      '5\r\nhello\r\n0\r\n\r\n',
      'ffffffffffffffffff\r\n',
      '-1\r\n',
      '0\r\n',
      '{"a":1}',
      '\0\0\0\0',
    ),
    fc.string({ unit: 'binary', maxLength: 100 }),
  ),
  changes: fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, mutations(4)),
  piece: fc.oneof({ arbitrary: fc.constant(1e6), weight: 4 }, fc.constantFrom(1, 7, 1000)),
  leaves: fc.boolean(),
});

export function bytesOf(
  { method, target: asked, version, lines, hasKey, lineBreak, rest, changes }: Head,
  key: string,
): Buffer {
  const all = [
    `${method} ${asked} ${version}`,
    'Host: localhost',
    ...(hasKey ? [`Authorization: Bearer ${key}`] : []),
    ...lines,
  ];
  return mutated(Buffer.from(`${all.join(lineBreak)}${lineBreak}${lineBreak}${rest}`), changes);
}

/** What makes a service close the connection that still understands it. */
const LAST = Buffer.from('\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');

export function piecesOf(bytes: Buffer, { piece, leaves }: Head): Buffer[] {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += piece) pieces.push(bytes.subarray(at, at + piece));
  return leaves ? pieces : [...pieces, LAST];
}

async function send(stage: Stage, one: Head): Promise<void> {
  const bytes = bytesOf(one, stage.key);
  const pieces = piecesOf(bytes, one);
  const said = await speak(stage.port, pieces, one.leaves ? 'leaves' : 'gives up');
  // Of a connection that was left, an answer may be cut off.
  if (one.leaves) return;
  for (const reply of repliesIn(said)) expectAnswer(reply, shown(bytes));
}

export const heads = doorOf(
  'heads',
  head,
  async (stage, inputs) => {
    await Promise.all(inputs.map((one) => send(stage, one)));
  },
  { most: 96 },
);
