import { FACTS, type Fact } from './facts.ts';

/** Request of an operation, below the address of the service. */
export interface OperationRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Text of JSON; undefined where the body is a file or there is none. */
  readonly json: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the request of an operation. Throws TypeError where there is no such operation, or a field of its path is missing. */
export function requestOf(id: string, input: Fields): OperationRequest {
  const fact = FACTS[id];
  if (fact === undefined) throw new TypeError(`There is no operation "${id}".`);
  const inPath: string[] = [];
  const path = fact.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    inPath.push(name);
    const value = input[name];
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${id} takes ${name}, an id, got ${JSON.stringify(value)}.`);
    return encodeURIComponent(value);
  });
  const rest = Object.entries(input).filter(([name, value]) => !inPath.includes(name) && value !== undefined);
  const { headers, others } = inHeaders(fact, rest);
  if (fact.body === 'json') {
    const json = JSON.stringify(Object.fromEntries(others));
    return { method: fact.method, path, headers: { ...headers, 'content-type': 'application/json' }, json };
  }
  const query = new URLSearchParams(
    others.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return {
    method: fact.method,
    path: query === '' ? path : `${path}?${query}`,
    headers,
    json: undefined,
  };
}

/** Fields that ride in headers: secrets beside a file, and where a file that was cut off goes on (docs/local-api.md, "Import and export"). */
function inHeaders({ method, reply, headers: named = {} }: Fact, fields: readonly [string, unknown][]) {
  const headers: Record<string, string> = {};
  const others = fields.filter(([name, value]) => {
    const header = named[name];
    if (header !== undefined) headers[header] = encodeURIComponent(String(value));
    else if (method !== 'GET' || reply !== 'stream') return true;
    else if (name === 'from') headers['range'] = `bytes=${String(value)}-`;
    else if (name === 'state') headers['if-range'] = `"${String(value)}"`;
    else return true;
    return false;
  });
  return { headers, others };
}
