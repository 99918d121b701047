import { Agent, request as ask, type ClientRequest } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { fillPath } from '#shared/schema/path-parameters.ts';
import { operationOf, type HttpId } from '#shared/operations/index.ts';
import { inputOf, uploadOf, type World } from '../../../contract/world.ts';
import { largestInput } from './largest.ts';

/** At once, by all askers of an attack together. */
const AT_ONCE = 64;
const BODY = 1024 * 1024 - 1;
/** Bytes of an upload: as many as a merge takes, and more than is read in one piece. */
const UPLOAD = 2 * 1024 * 1024;

interface Sent {
  readonly path: string;
  readonly type: string;
  readonly body: string | null;
}

/**
 * Asks an operation for as much as it gives, many times at once and with each of the keys: inputs at their limits, bodies
 * that are full of what nobody asked for, uploads as large as they may be. Every other answer is not read until the end.
 */
export async function floodOperation(
  url: string,
  id: HttpId,
  keys: readonly string[],
  world: World,
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const open: ClientRequest[] = [];
  const { hostname, port } = new URL(url);
  const { method } = operationOf(id);
  const done: Promise<void>[] = [];
  for (let n = 0; n < AT_ONCE; n++) {
    // Whoever else asks is in this process, too.
    await setImmediate();
    const { path, type, body } = sentOf(id, world, n);
    const headers = {
      authorization: `Bearer ${keys[n % keys.length]}`,
      ...(body !== null && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    };
    const sending = ask({ hostname, port, agent, method, path, headers });
    open.push(sending);
    const answered = new Promise<void>((resolve) => {
      // Who is refused may find the connection cut.
      sending.on('error', () => resolve()).on('close', () => resolve());
      sending.on('response', (response) => {
        response.on('error', () => resolve()).on('end', () => resolve());
        if (n % 2 === 0) response.resume();
        else resolve();
      });
      sending.end(body);
    });
    done.push(answered);
  }
  await Promise.all(done);
  for (const sending of open) sending.destroy();
  agent.destroy();
}

function sentOf(id: HttpId, world: World, n: number): Sent {
  const { path, body } = operationOf(id);
  const right = inputOf(id, world);
  const rest = n % 3 === 1 ? largestInput(id, right) : right;
  const filled = fillPath(path, (name) => {
    const value = String(right[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  if (body === 'json') return { path: filled, type: 'application/json', body: jsonOf(rest, n % 3 === 2) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) query.set(name, String(value).slice(0, 1000));
  const address = query.size > 0 ? `${filled}?${query.toString()}` : filled;
  const type = 'application/x-ndjson';
  return { path: address, type, body: body === 'stream' ? linesOf(id, n) : null };
}

/** With a field more that nobody knows: as many objects as go in. */
function jsonOf(fields: Readonly<Record<string, unknown>>, isPadded: boolean): string {
  const json = JSON.stringify(fields);
  if (!isPadded) return json;
  const objects = '{},'.repeat(Math.floor((BODY - Buffer.byteLength(json) - 20) / 3));
  return `${json.slice(0, -1)}${json === '{}' ? '' : ','}"more":[${objects}{}]}`;
}

/** Lines as right ones are, and then with as many cells as go in. */
function linesOf(id: HttpId, n: number): string {
  const upload = uploadOf(id);
  // A backup comes as its bytes are not: as one that is damaged.
  const line = typeof upload === 'string' ? upload : Buffer.from(upload).toString('latin1');
  if (n % 3 === 0) return line;
  const cells = Array.from({ length: 256 }, (_, at) => `"${at.toString(36)}":${n % 10}`).join(',');
  const wide = line.replace('"temperature":1', cells);
  return wide.repeat(Math.floor(UPLOAD / wide.length));
}
