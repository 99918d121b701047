import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/*
 * Who debugs Chromium gives it whole answers alone. What is saved comes from a server of this process, as it is taken, and
 * breaks off where the app's answer does: so it is in Electron (electron/shell/browser/net/node_stream_loader.cc).
 */

const waiting = new Map<string, Response>();
let port: Promise<number> | null = null;

/** Whether an answer is for the disk and not for the page. */
export const isSaved = ({ headers }: Response): boolean =>
  headers.get('content-disposition')?.startsWith('attachment') ?? false;

/** Resolves with the address at which Chromium gets an answer, once. */
export async function addressOf(response: Response): Promise<string> {
  port ??= listen();
  const name = randomUUID();
  waiting.set(name, response);
  return `http://127.0.0.1:${await port}/${name}`;
}

async function listen(): Promise<number> {
  const server = createServer(({ url = '' }, answer) => {
    const name = url.slice(1);
    const response = waiting.get(name);
    waiting.delete(name);
    if (!response?.body) {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(response.status, Object.fromEntries(response.headers));
    // Either side may break off; the other one then has, too.
    pipeline(Readable.fromWeb(response.body as ReadableStream), answer).catch(() => answer.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  return (server.address() as AddressInfo).port;
}
