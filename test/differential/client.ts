import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Host } from './host.ts';
import { readJson, type Json, type JsonObject } from './json.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Asked {
  /** A device's token; without it the key of the ready file is sent. */
  readonly token?: string;
  readonly type?: string;
  readonly body?: string;
}

/** Longer bodies are named by their length: the script has them. */
const SHOWN_BODY = 2000;

/** Asks a service over HTTP and keeps what was asked, to be pasted into a shell. */
export class Client {
  readonly #host: Host;
  readonly #lines: string[] = [];
  /** Ids and tokens, and what they are called in the shell. */
  readonly #names = new Map<string, string>();

  constructor(host: Host) {
    this.#host = host;
  }

  get host(): Host {
    return this.#host;
  }

  async ask(method: string, path: string, { token, type, body }: Asked = {}): Promise<Answer> {
    this.#note(method, path, {
      ...(token && { token }),
      ...(type && { type }),
      ...(body !== undefined && { body }),
    });
    const response = await this.#host.fetch(path, {
      method,
      headers: { ...(token && { authorization: `Basic ${token}` }), ...(type && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Asks, expects the status and answers the envelope's data. */
  async data(method: string, path: string, asked: Asked = {}, status = 200): Promise<Json> {
    return dataOf(await this.ask(method, path, asked), status);
  }

  async object(method: string, path: string, asked: Asked = {}, status = 200): Promise<JsonObject> {
    return objectOf(await this.data(method, path, asked, status));
  }

  /** Shows an id as a variable, and where to take it from. */
  name(id: string, name: string, how: string): void {
    this.#names.set(id, name);
    this.#lines.push(`# ${name}=… (${how} of the last answer)`);
  }

  /** Something that is no request. */
  remark(text: string): void {
    this.#lines.push(`# ${text}`);
  }

  /** Everything so far, for a shell. */
  shell(): string {
    const head = '# BASE=… and KEY=…: base_url and api_key of the ready file';
    return [head, ...this.#lines].join('\n');
  }

  #note(method: string, path: string, { token, type, body }: Asked): void {
    let line = `curl -s${method === 'GET' ? '' : ` -X ${method}`} -H "Authorization: `;
    line += token === undefined ? 'Bearer $KEY"' : `Basic ${token}"`;
    if (type !== undefined) line += ` -H "Content-Type: ${type}"`;
    line += ` "$BASE${path}"`;
    if (body !== undefined)
      line +=
        body.length > SHOWN_BODY
          ? ` # a body of ${body.length} characters`
          : ` --data-binary ${quoted(body)}`;
    for (const [id, name] of this.#names) line = line.replaceAll(id, `$${name}`);
    this.#lines.push(line);
  }
}

/** For bash, on one line. */
function quoted(text: string): string {
  if (!/[\r\n]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const inside = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return `$'${inside.replaceAll('\r', '\\r').replaceAll('\n', '\\n')}'`;
}

/** Checks an envelope and answers its data (docs/api.md, "Envelope"). */
export function dataOf(answer: Answer, status = 200): Json {
  const envelope = objectOf(readJson(answer.text));
  const told = `answered ${answer.status}: ${answer.text.slice(0, 500)}`;
  strictEqual(answer.status, status, told);
  deepStrictEqual([...envelope.keys()].toSorted(), ['action', 'data', 'message', 'status', 'success'], told);
  strictEqual(envelope.get('status'), status, told);
  strictEqual(envelope.get('success'), status < 400, told);
  if (status >= 400) strictEqual(envelope.get('data'), null, told);
  return envelope.get('data') ?? null;
}

export const messageOf = (answer: Answer) => textOf(objectOf(readJson(answer.text)).get('message'));

const shown = (value: Json | undefined) => inspect(value).slice(0, 500);

export function objectOf(value: Json | undefined): JsonObject {
  ok(value instanceof Map, `expected an object, got ${shown(value)}`);
  return value;
}

export function arrayOf(value: Json | undefined): Json[] {
  ok(Array.isArray(value), `expected an array, got ${shown(value)}`);
  return value;
}

export function textOf(value: Json | undefined): string {
  ok(typeof value === 'string', `expected a text, got ${shown(value)}`);
  return value;
}
