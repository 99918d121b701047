import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { parseJson } from '#shared/values/json.ts';
import { Agent, request as httpRequest } from '../../net/node-http.ts';
import {
  PATIENCE_MS,
  type DevicePayload,
  type Door,
  type DoorAnswer,
  type DoorPlaces,
  type Login,
} from './door.ts';

/** The door of HTTP or HTTPS; its connection is kept. `places`: asked each time, as doors move. */
export function openHttpDoor({ token }: Login, places: () => DoorPlaces): Door {
  const plain = new Agent({ keepAlive: true, maxSockets: 1 });
  const secure = new SecureAgent({ keepAlive: true, maxSockets: 1 });
  const ending = new AbortController();

  function ask({ bytes, type }: DevicePayload): ClientRequest {
    const { http, trust } = places();
    const url = `${http}/integrations/http`;
    const options = {
      method: 'POST',
      timeout: PATIENCE_MS,
      signal: ending.signal,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': type,
        'content-length': Buffer.byteLength(bytes),
      },
    };
    if (!url.startsWith('https:')) return httpRequest(url, { ...options, agent: plain });
    return httpsRequest(url, { ...options, ...trust, agent: secure });
  }

  return {
    async send(payload): Promise<DoorAnswer> {
      const request = ask(payload);
      // Whoever waits for the answer hears of it; behind that nobody does.
      request.on('error', () => {});
      request.once('timeout', () => request.destroy(new Error('it took too long')));
      request.end(payload.bytes);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return answerIn(response, await text(response));
    },
    close() {
      ending.abort();
      plain.destroy();
      secure.destroy();
    },
  };
}

function answerIn(response: IncomingMessage, body: string): DoorAnswer {
  const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = response;
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [{ name, value: rawHeaders[at + 1] ?? '' }] : [],
  );
  const answer = { status, http: { status, reason, headers, body }, mqtt: null };
  try {
    const { success, message } = parseJson(body) as { success: unknown; message: unknown };
    if (typeof success === 'boolean' && typeof message === 'string')
      return { accepted: success, message, ...answer };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { accepted: false, message: `The door answered ${status} without an envelope.`, ...answer };
}
