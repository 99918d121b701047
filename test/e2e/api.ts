import type { Envelope } from '#shared/schema/envelope.ts';
import { oneOf } from '../helpers/one-of.ts';
import type { Ready } from './program.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The envelope's data; null where the answer is no envelope. */
  readonly data: unknown;
  readonly message: string;
}

/** A request to the service, as a script beside the app would make it. `body` is sent as JSON, or as it is if text. */
export type Api = (method: string, path: string, options?: ApiOptions) => Promise<ApiAnswer>;

export interface ApiOptions {
  readonly body?: unknown;
  /** Of a body that is text; JSON otherwise. */
  readonly type?: string;
  /** Another credential than the service's own key: a key or a device's token. Null sends none. */
  readonly key?: string | null;
}

/** Over the plain door on loopback, where the app opened it: what travels is the same. Of several services each request asks a random one. */
export function createApi(...services: readonly [Ready, ...Ready[]]): Api {
  const [{ api_key }] = services;
  return async (method, path, { body, type = 'application/json', key = api_key } = {}) => {
    const { http_url, base_url } = oneOf(services) ?? services[0];
    const response = await fetch(`${http_url ?? base_url}${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const envelope = json ? (JSON.parse(text) as Partial<Envelope>) : {};
    const { status, headers } = response;
    return { status, headers, text, data: envelope.data ?? null, message: envelope.message ?? '' };
  };
}
