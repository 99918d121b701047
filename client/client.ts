import { FieldbenchError } from './error.ts';
import { FACTS } from './facts.ts';
import type * as Public from './public.d.ts';
import { requestOf } from './request.ts';

type Fields = Readonly<Record<string, unknown>>;
type Call = (
  id: string,
  input: Fields,
  options?: Public.CallOptions & { readonly body?: Public.UploadBody },
) => Promise<Public.Answer<Public.OperationId>>;

/** The envelope (docs/api.md, "Envelope"). */
interface Envelope {
  readonly success: boolean;
  readonly action: string;
  readonly message: string;
  readonly data: unknown;
}

export const createClient: typeof Public.createClient = ({ url, key, fetch: ask = globalThis.fetch }) => {
  const base = new URL(url).href.replace(/\/$/, '');

  async function send(path: string, token: string, { headers, ...init }: RequestInit): Promise<Response> {
    const response = await ask(`${base}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...(headers as Record<string, string> | undefined) },
    });
    if (response.ok) return response;
    const text = await response.text();
    const envelope = envelopeOf(text);
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    throw new FieldbenchError({
      status: response.status,
      action: envelope?.action ?? `${init.method} ${path}`,
      message: envelope?.message ?? `No answer of Fieldbench: ${response.status} ${text.slice(0, 200)}`,
      retryAfterS: Number.isFinite(retryAfter) ? retryAfter : null,
    });
  }

  const call: Call = async (id, input, { signal, body } = {}) => {
    const { method, path, headers, json } = requestOf(id, input);
    const { reply } = FACTS[id]!;
    const content = json ?? body;
    const response = await send(path, key, {
      method,
      headers,
      ...(signal && { signal }),
      // Node asks for it where the body is a stream.
      ...(content !== undefined && { body: content, duplex: 'half' as const }),
    });
    const about = { status: response.status, headers: response.headers };
    const answer =
      reply === 'stream'
        ? { ...about, message: response.statusText, data: response }
        : reply === 'bare'
          ? { ...about, message: response.statusText, data: await response.json() }
          : { ...about, ...pick(await jsonOf(response)) };
    return answer as Public.Answer<Public.OperationId>;
  };

  const ingest: Public.Client['ingest'] = async ({ token, records, idempotencyKey, signal }) => {
    const response = await send('/integrations/http', token, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': `"${(idempotencyKey ?? crypto.randomUUID()).replaceAll(/["\\]/g, String.raw`\$&`)}"`,
      },
      body: JSON.stringify(records),
      ...(signal && { signal }),
    });
    return (await jsonOf(response)).data as { stored: number };
  };

  // The types of both are of the same table as FACTS.
  return Object.freeze({ ...nounsOf(call), call, ingest }) as unknown as Public.Client;
};

const pick = ({ message, data }: Envelope) => ({ message, data });

const jsonOf = async (response: Response): Promise<Envelope> => (await response.json()) as Envelope;

/** The envelope in a text; null where it is another, as of a proxy. */
function envelopeOf(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    const isEnvelope = typeof value === 'object' && value !== null && 'message' in value && 'action' in value;
    return isEnvelope ? (value as Envelope) : null;
  } catch {
    // Its sender is not the service, and the caller gets the text.
    return null;
  }
}

const camelCase = (text: string) => text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function nounsOf(call: Call) {
  const nouns: Record<string, Record<string, unknown>> = {};
  for (const [id, { body: takes }] of Object.entries(FACTS)) {
    const [noun = '', verb = ''] = id.split('.').map(camelCase);
    const run = async (...args: Parameters<Call> extends [string, ...infer Rest] ? Rest : never) =>
      (await call(id, ...args)).data;
    (nouns[noun] ??= {})[verb] =
      takes === 'stream'
        ? (input: Fields, body: Public.UploadBody, options: Public.CallOptions = {}) =>
            run(input, { ...options, body })
        : (input: Fields = {}, options: Public.CallOptions = {}) => run(input, options);
  }
  return nouns;
}
