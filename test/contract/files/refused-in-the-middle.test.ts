import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';

let service: RunningService;
let world: World;
beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
});
afterAll(() => service.stop());

/** More than the system holds for a connection. */
const BYTES = 48 * 1024 * 1024;

test('who sends all of a file before it reads hears why the file was refused at its beginning', async () => {
  const { http_url, api_key } = service.service;
  const { host, port } = new URL(http_url ?? '');
  const head = [
    `POST /_local/v1/projects/${world.project_id}/devices/${world.device_id}/records?format=csv HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${api_key}`,
    'content-type: text/csv',
    `content-length: ${BYTES}`,
    'connection: close',
  ];
  const wrong = 'time,value\n2026-03-02T20:30:00Z,1,2,3,4\n2026-03-02T20:31:00Z,"not closed\n';
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.write(`${head.join('\r\n')}\r\n\r\n${wrong}`);
  const piece = Buffer.alloc(64 * 1024, 'x');
  for (let left = BYTES - wrong.length; left > 0; left -= piece.length)
    if (!socket.write(piece.subarray(0, left))) await once(socket, 'drain');
  let answer = '';
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    answer += bytes.toString();
    if (answer.endsWith('}')) break;
  }
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"action":"import records"');
});
