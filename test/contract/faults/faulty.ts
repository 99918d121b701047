import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FaultsNow } from '#shared/operations/service/faults.ts';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import type { HttpAnswer, RunningService } from '../../helpers/service/running-service.ts';
import { dataOf, type Asking } from '../world.ts';

const PATH = '/_local/v1/faults';

/** A rule as it is sent. */
export interface Given {
  readonly name?: string;
  readonly match?: Readonly<Record<string, unknown>>;
  readonly do: Readonly<Record<string, unknown>>;
}

export const setFaults = async (
  service: Asking,
  rules: readonly Given[],
  more: object = {},
): Promise<FaultsNow> => (await dataOf(service, 'PUT', PATH, { rules, ...more })) as unknown as FaultsNow;

export const faultsNow = async (service: Asking): Promise<FaultsNow> =>
  (await dataOf(service, 'GET', PATH)) as unknown as FaultsNow;

export const clearFaults = async (service: Asking): Promise<FaultsNow> =>
  (await dataOf(service, 'DELETE', PATH)) as unknown as FaultsNow;

/** How often each rule was asked, and acted. */
export const countsOf = ({ rules }: FaultsNow) => rules.map(({ seen, done }) => [seen, done]);

/** The last requests, newest first. */
export const seenBy = async (service: Asking): Promise<readonly SeenRequest[]> =>
  (await dataOf(service, 'GET', '/_local/v1/requests')) as unknown as readonly SeenRequest[];

/** What a request comes to: its status, or that its connection ended without an answer. */
export const outcomeOf = (asked: Promise<HttpAnswer>): Promise<number | 'lost'> =>
  asked.then(
    ({ status }) => status,
    () => 'lost' as const,
  );

/** Everything that comes over a connection of its own until it ends, for a request as it is written here. */
export class RawRequest {
  readonly ended: Promise<Buffer>;
  readonly #socket: Socket;
  #got = Buffer.alloc(0);

  constructor(
    service: RunningService,
    method: string,
    path: string,
    more: { key?: string; body?: string } = {},
  ) {
    const { http_url, base_url, api_key } = service.service;
    const { key = api_key, body = '' } = more;
    this.#socket = connect(Number(new URL(http_url ?? base_url).port), '127.0.0.1');
    this.#socket.on('data', (piece: Buffer) => (this.#got = Buffer.concat([this.#got, piece])));
    // A reset is an end as any.
    this.#socket.on('error', () => {});
    this.ended = once(this.#socket, 'close').then(() => this.#got);
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    this.#socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }

  /** Bytes that have come so far. */
  get got(): Buffer {
    return this.#got;
  }

  leave(): void {
    this.#socket.destroy();
  }
}
