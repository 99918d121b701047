import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createChecker, type Checker, type Published, type Received } from '../helpers/published.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { createWorld, SETTABLE, type World } from '../contract/world.ts';
import { operationsOf, type Operation } from './requests.ts';
import { ACCOUNT, DEVICE, PROJECT } from './values.ts';

/** What is sent: the path as it is to stand on the wire. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly key?: string;
  readonly type?: string;
  readonly body?: string | Uint8Array;
}

/** A real service under fuzz, with a world that is made anew when a request took something of it away. */
export interface Target {
  readonly operations: readonly Operation[];
  readonly checker: Checker;
  /** What the service wrote to its log. */
  readonly logged: readonly string[];
  world(): Promise<World>;
  /** The world has changed: the next request gets another. */
  spoil(): void;
  /** The value with the world's ids where they are asked for. */
  placed(value: unknown, world: World): unknown;
  send(request: Sent): Promise<Received>;
  stop(): Promise<void>;
}

/** Worlds after which the service is started afresh, so that long runs do not slow down by what they have made. */
const WORLDS = 400;

export async function openTarget(): Promise<Target> {
  const run = () => runService({ clock: SETTABLE });
  let service = await run();
  let worlds = 0;
  let world: World | null = null;
  const agent = new Agent({ keepAlive: true });

  const document = JSON.parse((await service.request('GET', '/_local/v1/openapi.json')).text) as Published;

  async function anotherWorld(): Promise<World> {
    if (++worlds % WORLDS === 0) {
      await service.stop();
      service = await run();
    }
    await removeSnapshots();
    return createWorld(service);
  }

  /** A path that nobody thought of must not find one that a request has made. */
  async function removeSnapshots(): Promise<void> {
    const path = '/_local/v1/snapshots';
    const { envelope } = await service.request('GET', path);
    for (const { name } of (envelope.data ?? []) as unknown as readonly { readonly name: string }[])
      // Half a character is in no path.
      if (name.isWellFormed()) await service.request('DELETE', `${path}/${encodeURIComponent(name)}`);
  }

  return {
    operations: operationsOf(document),
    checker: createChecker(document),
    get logged() {
      return service.logged;
    },
    world: async () => (world ??= await anotherWorld()),
    spoil: () => void (world = null),
    placed: (value, { device_id, project_id }) =>
      placedIn(value, { [DEVICE]: device_id, [PROJECT]: project_id, [ACCOUNT]: service.service.account_id }),
    send: (request) => send(service, agent, request),
    async stop() {
      agent.destroy();
      await service.stop();
    },
  };
}

function placedIn(value: unknown, places: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return Object.hasOwn(places, value) ? places[value] : value;
  if (Array.isArray(value)) return value.map((item) => placedIn(item, places));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, placedIn(part, places)]));
}

/** fetch would tidy up the path. */
async function send(
  { service }: RunningService,
  agent: Agent,
  { method, path, key = service.api_key, type = 'application/json', body }: Sent,
): Promise<Received> {
  const { hostname, port } = new URL(service.base_url);
  const request = httpRequest({
    host: hostname,
    port,
    agent,
    method,
    path,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) headers.append(name, value);
  return { status: response.statusCode ?? 0, headers, text: await text(response) };
}
