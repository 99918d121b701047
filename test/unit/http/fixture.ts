import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { Answer, Call, Principal } from '#core/api/call.ts';
import { operationOf } from '#shared/operations/index.ts';
import { succeeded, type Envelope } from '#shared/schema/envelope.ts';
import type { Config } from '#core/base/config.ts';
import { unauthorized } from '#core/base/errors.ts';
import { Readiness } from '#core/http/readiness.ts';
import { createMemoryBudget, type Asker } from '#core/ingest/memory-budget.ts';
import { Slices } from '#core/turns/slices.ts';
import { openDoors, type DoorOptions, type Doors } from '#core/http/server.ts';
import type { Logger } from '#core/base/logger.ts';
import { OfferedFiles } from '#core/bridge/offered-files.ts';
import { OwnTickets } from '#core/backend/own-tickets.ts';
import { ownNames } from '#core/tls/names.ts';
import { testConfig } from '../../helpers/service/config.ts';

const KEY = 'fb_test';
export const ASKER: Asker = { id: 'device', group: 'project' };
export const AUTHORIZED = { authorization: `Bearer ${KEY}` };
export const PRINCIPAL: Principal = {
  account_id: 'a',
  permissions: new Set(),
  project_ids: null,
  key_id: null,
  by: { kind: 'window', name: 'tester' },
};

export interface TestDoors {
  readonly doors: Doors;
  /** Calls that reached dispatch, in order. */
  readonly calls: Call[];
  readonly logged: string[];
  /** The plain door's port. */
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Doors on free ports of 127.0.0.1 whose dispatch is `handle` (by default: success with the input it got). */
export async function openTestDoors(
  config: Partial<Config> = {},
  parts: Partial<DoorOptions> & { readonly handle?: (call: Call) => Answer | Promise<Answer> } = {},
): Promise<TestDoors> {
  const calls: Call[] = [];
  const logged: string[] = [];
  const keep = (message: string) => void logged.push(message);
  const log: Logger = { info: keep, warn: keep, error: keep };
  const { handle = echo, windows = null, ...rest } = parts;
  const doors = await openDoors({
    windows,
    config: testConfig({ directory: '/nowhere', httpPort: null, ...config }),
    dispatch: async (call) => {
      calls.push(call);
      await call.authenticate();
      return handle(call);
    },
    authenticate(authorization) {
      if (authorization !== AUTHORIZED.authorization) throw unauthorized('No such key.');
      return PRINCIPAL;
    },
    ingest: async ({ contentType, body }) =>
      answer('records.import', { contentType, size: (await wholeOf(body(ASKER))).length }),
    openWindow: () => ({ receive() {}, close() {} }),
    offered: new OfferedFiles(),
    tickets: new OwnTickets(),
    acceptMqtt: null,
    budget: createMemoryBudget(),
    slices: new Slices(),
    requests: { add() {} },
    faults: { mayMeet: () => false, meet: () => Promise.resolve(null) },
    readiness: new Readiness({ ask: () => null, log }),
    tls: null,
    names: () => ownNames(config.host ?? '127.0.0.1'),
    log,
    ...rest,
  });
  return {
    doors,
    calls,
    logged,
    port: Number(new URL(doors.http_url ?? doors.base_url).port),
    close: () => doors.close(200),
  };
}

/** A body of a device, however it comes. */
export const wholeOf = (body: Uint8Array | AsyncIterable<Uint8Array>) =>
  body instanceof Uint8Array ? Promise.resolve(body) : buffer(body);

const echo = ({ id, input }: Call) => answer(id, input);

export function answer(id: Call['id'], data: unknown, page?: Answer['page']): Answer {
  const { action, status, message } = operationOf(id);
  return { envelope: succeeded(action, status, message, data), ...(page && { page }) };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The body as an envelope; throws where it is none. */
  readonly envelope: Envelope;
}

/** One request on a connection of its own, with the path exactly as given. */
export async function ask(
  port: number,
  method: string,
  path: string,
  {
    headers = {},
    body,
  }: { readonly headers?: Record<string, string>; readonly body?: string | Uint8Array } = {},
): Promise<Reply> {
  const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false });
  // once() below hears what fails before there is an answer; a body that is cut after it is no one's loss.
  request.on('error', () => {});
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const bytes = await buffer(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: bytes.toString(),
    get envelope() {
      return JSON.parse(bytes.toString()) as Envelope;
    },
  };
}

/** Documented fields and statuses, whatever was asked. */
export function expectRefusal(
  reply: { status: number; envelope: unknown },
  status: number,
  message: RegExp,
): void {
  expect(reply.status).toBe(status);
  expect(reply.envelope).toEqual({
    success: false,
    action: expect.any(String),
    status,
    message: expect.stringMatching(message),
    data: null,
  });
}

/** Sends bytes as they are and reads until the service closes the connection. */
export async function speak(port: number, words: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(words);
  return text(socket);
}
