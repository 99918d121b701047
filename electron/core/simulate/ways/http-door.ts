import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { parseJson } from '#shared/values/json.ts';
import { Agent, request as httpRequest } from '../../net/node-http.ts';
import { PATIENCE_MS, type Door, type DoorAnswer, type DoorPlaces, type Login } from './door.ts';

/** The door of HTTP, or of HTTPS where there is no plain one; its connection is kept. */
export function openHttpDoor({ token }: Login, { urls, caCertificate }: DoorPlaces): Door {
  const plain = new Agent({ keepAlive: true, maxSockets: 1 });
  const secure = new SecureAgent({ keepAlive: true, maxSockets: 1 });
  const ending = new AbortController();

  function ask(body: Buffer): ClientRequest {
    const { http_url, base_url } = urls();
    const url = `${http_url ?? base_url}/integrations/http`;
    const options = {
      method: 'POST',
      timeout: PATIENCE_MS,
      signal: ending.signal,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    };
    if (!url.startsWith('https:')) return httpRequest(url, { ...options, agent: plain });
    const ca = caCertificate();
    return httpsRequest(url, { ...options, agent: secure, ...(ca !== null && { ca }) });
  }

  return {
    async send(payload): Promise<DoorAnswer> {
      const body = Buffer.from(payload);
      const request = ask(body);
      // Whoever waits for the answer hears of it; behind that nobody does.
      request.on('error', () => {});
      request.once('timeout', () => request.destroy(new Error('it took too long')));
      request.end(body);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return answerIn(await text(response), response.statusCode ?? 0);
    },
    close() {
      ending.abort();
      plain.destroy();
      secure.destroy();
    },
  };
}

function answerIn(body: string, status: number): DoorAnswer {
  try {
    const { success, message } = parseJson(body) as { success: unknown; message: unknown };
    if (typeof success === 'boolean' && typeof message === 'string') return { accepted: success, message };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { accepted: false, message: `The door answered ${status} without an envelope.` };
}
