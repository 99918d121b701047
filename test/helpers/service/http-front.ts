import { once } from 'node:events';
import { createServer, request as ask, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer that a service did not give. */
export interface Instead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What stands before a service on this machine and sees each request before that does. */
export interface HttpFront {
  /** Where it listens; without a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * `meet` gets the path, without its query, and the heads of each request, and may answer in the service's place; null lets it
 * pass.
 */
export async function openFront(
  port: number,
  meet: (path: string, headers: IncomingHttpHeaders) => Promise<Instead | null> | Instead | null,
): Promise<HttpFront> {
  const server = createServer((request, response) => {
    const { method, headers, url = '/' } = request;
    const gone = () => void response.destroy();
    const pass = () => {
      const asking = ask({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', gone).pipe(response);
      });
      request.on('error', () => void asking.destroy()).pipe(asking.on('error', gone));
      response.on('close', () => void asking.destroy());
    };
    const answer = async () => {
      const instead = await meet(new URL(url, 'http://front').pathname, headers);
      if (instead === null) pass();
      else {
        request.resume();
        response.writeHead(instead.status, instead.headers).end(instead.body);
      }
    };
    answer().catch(gone);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
