import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { WebSocket } from 'ws';
import { OfferedFiles } from '#core/bridge/offered-files.ts';
import type { ServerMessage } from '#shared/bridge/wire.ts';
import { ask, openTestDoors, type TestDoors } from './fixture.ts';

/* A door with a console, anew for each test, and what a browser does at it. */

export let folder: string;
export let open: TestDoors;
/** Files that windows were told of. */
export let offered: OfferedFiles;
/** What windows sent, and how many were opened and closed. */
export const heard: unknown[] = [];
export const windows = { opened: 0, closed: 0 };
export let post: (message: ServerMessage) => void = () => {};

/** Opens the door before each test of a file, and closes it. */
export function openConsoleForEach(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-console-'));
    await mkdir(join(folder, 'renderer/assets'), { recursive: true });
    await writeFile(join(folder, 'renderer/index.html'), '<!doctype html><title>The app</title>');
    await writeFile(join(folder, 'renderer/assets/app-1a2b.js'), 'export {};');
    await writeFile(join(folder, 'secret.json'), '{"secret":true}');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    heard.length = 0;
    Object.assign(windows, { opened: 0, closed: 0 });
    offered = new OfferedFiles();
    open = await openTestDoors(
      { rendererDirectory: join(folder, 'renderer') },
      {
        offered,
        openWindow(send) {
          windows.opened++;
          post = send;
          return { receive: (message) => void heard.push(message), close: () => void windows.closed++ };
        },
      },
    );
  });
  afterEach(() => open.close());
}

export const link = async () => new URL((await open.doors.console_url()) ?? 'none');
export const pathOf = ({ pathname, search }: URL) => pathname + search;
export const get = (path: string, headers: Record<string, string> = {}) =>
  ask(open.port, 'GET', path, { headers });

export async function signIn(): Promise<{ cookie: string }> {
  const { cookie } = await letIn();
  return { cookie };
}

/** All that a page has of its own: the cookie, and what its WebSocket offers. */
export async function letIn(doors = open): Promise<{ cookie: string; 'sec-websocket-protocol': string }> {
  const reply = await ask(doors.port, 'GET', pathOf(new URL((await doors.doors.console_url()) ?? 'none')));
  const secret = /#let-in=([\w-]{43})$/.exec(reply.headers.location ?? '')?.[1] ?? 'none';
  return {
    cookie: reply.headers['set-cookie']?.[0]?.split(';')[0] ?? 'none',
    'sec-websocket-protocol': `fieldbench, let-in.${secret}`,
  };
}

export const origin = () => `http://127.0.0.1:${open.port}`;
export const dial = (
  { 'sec-websocket-protocol': protocols, ...headers }: Record<string, string>,
  path = '/console/socket',
) => new WebSocket(`ws://127.0.0.1:${open.port}${path}`, protocols?.split(', ') ?? [], { headers });

export async function refusedWith(socket: WebSocket): Promise<{ status: number | undefined; body: unknown }> {
  const [, response] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return {
    status: (response as { statusCode?: number }).statusCode,
    body: JSON.parse(Buffer.concat(chunks).toString()),
  };
}
