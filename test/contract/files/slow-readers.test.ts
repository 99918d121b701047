import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';

/* Pages are written into memory that is used again: whoever reads slowly must still get what was asked for. */

const PAGES = 40;
const LIMIT = 50;
/** Asked of every reader at once, more than the buffers of its connection hold. */
const ROUNDS = 12;

let service: RunningService;
let world: World;
let address: URL;
let key: string;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  address = new URL(service.service.http_url ?? '');
  key = service.service.api_key;
  const body = Array.from({ length: PAGES * LIMIT }, (_, n) => ({
    timestamp: Date.UTC(2026, 0, 1) + n * 1000,
    n,
    text: `${n}`.padEnd(400, '.'),
  }));
  await service.request('DELETE', dataPath());
  await service.request('POST', '/integrations/http', { key: world.device_token, body });
});
afterAll(() => service.stop());

const dataPath = () => `/v2/projects/${world.project_id}/devices/${world.device_id}/data`;

/** The connection ends behind the answer to the last request. */
function ask(socket: Socket, page: number, isLast: boolean): void {
  const connection = isLast ? 'close' : 'keep-alive';
  socket.write(
    `GET ${dataPath()}?page=${page}&limit=${LIMIT}&range=all HTTP/1.1\r\nhost: ${address.host}\r\nauthorization: Bearer ${key}\r\nconnection: ${connection}\r\n\r\n`,
  );
}

/** The bodies of the whole answers that came one after the other: a page that takes long to write comes in pieces (RFC 9112, 7.1). */
function bodiesIn(bytes: Buffer): string[] {
  const bodies: string[] = [];
  for (let at = 0; ;) {
    const start = bytes.indexOf('\r\n\r\n', at) + 4;
    const head = bytes.toString('latin1', at, start);
    const isInPieces = /transfer-encoding: chunked/i.test(head);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    const [body, end] = isInPieces
      ? piecesAt(bytes, start)
      : [bytes.subarray(start, start + length), start + length];
    if (!(end <= bytes.length)) return bodies;
    bodies.push(body.toString());
    at = end;
  }
}

/** The body that begins there in pieces, and where it ends. */
function piecesAt(bytes: Buffer, start: number): readonly [Buffer, number] {
  const pieces: Buffer[] = [];
  for (let at = start; ;) {
    const from = bytes.indexOf('\r\n', at) + 2;
    const size = Number.parseInt(bytes.toString('latin1', at, from), 16);
    const to = from + size;
    if (!(to + 2 <= bytes.length)) return [Buffer.concat(pieces), Infinity];
    if (size === 0) return [Buffer.concat(pieces), to + 2];
    pieces.push(bytes.subarray(from, to));
    at = to + 2;
  }
}

const expectedOf = (page: number) =>
  Array.from({ length: LIMIT }, (_, i) => PAGES * LIMIT - 1 - (page - 1) * LIMIT - i);

test('readers that wait get the pages they asked for, in order', async () => {
  const readers = await Promise.all(
    [1, 7, 13].map(async (step) => {
      const socket = connect(Number(address.port), address.hostname);
      await once(socket, 'connect');
      socket.pause();
      const pages = Array.from({ length: ROUNDS * PAGES }, (_, i) => ((i * step) % PAGES) + 1);
      for (const [i, page] of pages.entries()) ask(socket, page, i === pages.length - 1);
      return { socket, pages };
    }),
  );
  // A reader that does not wait uses the memory that became free.
  const quick = await Promise.all(
    Array.from({ length: PAGES }, (_, i) =>
      service.request('GET', `${dataPath()}?page=${i + 1}&limit=${LIMIT}&range=all`),
    ),
  );
  expect(quick.map(({ envelope }) => numbersOf(envelope))).toEqual(quick.map((_, i) => expectedOf(i + 1)));
  await delay(200);
  for (const { socket, pages } of readers) {
    const bodies = bodiesIn(await buffer(socket));
    expect(bodies.map((body) => numbersOf(JSON.parse(body)))).toEqual(pages.map(expectedOf));
    socket.destroy();
  }
});

function numbersOf(envelope: unknown): number[] {
  const { data } = envelope as { data: { n: number; text: string }[] };
  for (const { n, text } of data) expect(text).toBe(`${n}`.padEnd(400, '.'));
  return data.map(({ n }) => n);
}
