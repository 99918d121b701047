import { connect } from 'node:net';
import { once } from 'node:events';

/* What a service is told byte by byte, and what it answers. */

export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A sender that waits for more than a service will say gives up by closing its own side. */
const PATIENCE_MS = 100;

/**
 * Sends pieces over one connection, to a port of this machine or a socket's path, and resolves with all that comes until the service closes it. `gives up`: closes its own
 * side where nothing comes for a while. Rejects where there is no service.
 */
export async function speak(
  where: number | string,
  pieces: readonly Uint8Array[],
  how: 'waits' | 'gives up' | 'leaves',
): Promise<Buffer> {
  const socket = typeof where === 'number' ? connect(where, '127.0.0.1') : connect(where);
  const heard: Buffer[] = [];
  let isOpen = false;
  socket.on('data', (piece) => heard.push(piece));
  socket.on('connect', () => (isOpen = true));
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('close', () => resolve());
    // A service that has said no may reset what still comes.
    socket.on('error', (error) => (isOpen ? resolve() : reject(error)));
  });
  await Promise.race([once(socket, 'connect'), closed]);
  if (how === 'gives up') socket.setTimeout(PATIENCE_MS, () => socket.end());
  for (const piece of pieces) if (socket.writable) socket.write(piece);
  if (how === 'leaves') socket.end();
  await closed;
  return Buffer.concat(heard);
}

/** The whole answers in what a service said, 1xx left out; throws where that is no HTTP, or ends inside an answer. */
export function repliesIn(said: Buffer): Reply[] {
  const replies: Reply[] = [];
  let rest = said;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.toString('latin1', 0, Math.max(0, end)).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (end < 0 || !(status >= 100))
      throw new Error(`What came is no answer: ${JSON.stringify(rest.toString('latin1', 0, 300))}`);
    const headers = new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const [body, after] =
      status < 200 ? ['', rest.subarray(end + 4)] : bodyOf(headers, rest.subarray(end + 4));
    if (status >= 200) replies.push({ status, headers, body });
    rest = after;
  }
  return replies;
}

function bodyOf(headers: ReadonlyMap<string, string>, rest: Buffer): [body: string, after: Buffer] {
  // The answer to a HEAD: no body begins like an answer.
  if (rest.length === 0 || rest.subarray(0, 9).equals(Buffer.from('HTTP/1.1 '))) return ['', rest];
  if (headers.get('transfer-encoding') === 'chunked') return chunksOf(rest);
  const length = Number(headers.get('content-length'));
  if (!(length <= rest.length)) throw new Error(`An answer ends after ${rest.length} of ${length} bytes.`);
  return [rest.toString('utf8', 0, length), rest.subarray(length)];
}

function chunksOf(rest: Buffer): [body: string, after: Buffer] {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const line = rest.indexOf('\r\n', at);
    const size = Number.parseInt(rest.toString('latin1', at, Math.max(at, line)), 16);
    if (line < 0 || !(line + 2 + size <= rest.length))
      throw new Error('An answer ends in one of its chunks.');
    at = line + 2 + size + 2;
    if (size === 0) return [Buffer.concat(chunks).toString(), rest.subarray(at)];
    chunks.push(rest.subarray(line + 2, line + 2 + size));
  }
}
