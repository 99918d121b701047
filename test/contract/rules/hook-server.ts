import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { KeyPair } from '#core/tls/certificates.ts';

/** What a webhook says. */
export interface Said {
  readonly key: string;
  readonly event: string;
  readonly alarm: {
    readonly id: string;
    readonly state: string;
    readonly start: string;
    readonly end: string | null;
  };
  readonly values?: readonly unknown[];
}

export interface HookServer {
  readonly url: string;
  /** In the order in which they came. */
  readonly said: Said[];
  /** Its next answers; 200 where it is empty. */
  readonly answers: number[];
  /** Called before each answer. */
  meet: () => void;
  close(): Promise<void>;
}

/** A webhook on loopback that notes what it is told; over TLS where it has a certificate. */
export async function openHookServer(pair?: KeyPair): Promise<HookServer> {
  const said: Said[] = [];
  const answers: number[] = [];
  const take = (asked: IncomingMessage, answer: ServerResponse) => {
    void (async () => {
      const body = await buffer(asked);
      const told = JSON.parse(body.toString()) as Said;
      if (asked.headers['idempotency-key'] !== told.key) throw new TypeError('a webhook has its key twice');
      said.push(told);
      hooks.meet();
      answer.writeHead(answers.shift() ?? 200).end();
    })();
  };
  const server = pair === undefined ? createServer(take) : createHttps(pair, take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const hooks: HookServer = {
    url: `${pair === undefined ? 'http' : 'https'}://127.0.0.1:${port}/alarms`,
    said,
    answers,
    meet: () => {},
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return hooks;
}
