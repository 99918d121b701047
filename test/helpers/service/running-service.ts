import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '#core/backend/backend.ts';
import type { Clock } from '#core/base/clock.ts';
import { createLogger } from '#core/base/logger.ts';
import { startService, type Service } from '#core/service/service.ts';
import type { Principal } from '#core/api/call.ts';
import type { Config } from '#core/base/config.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { openBackend, type BackendOptions } from '#core/service/open-backend.ts';
import { createBridge, type BridgeClient } from '#shared/bridge/bridge-client.ts';
import type { WindowPort } from '#shared/bridge/bridge.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { portTo } from '#shared/bridge/port-to.ts';
import type { PostedMessage } from '#shared/bridge/wire.ts';
import { openBalancer } from '../postgres/balancer.ts';
import { testConfig } from './config.ts';
import { forgetMemoryOf, inDatabase, memoryOf, SERVICES, storeOf } from '../postgres/database-of-tests.ts';
import { oneOf } from '../one-of.ts';

/**
 * A service in this process, in a folder of its own, with a window and an HTTP client; or several over one database
 * (database-of-tests.ts), of which the window and each request have a random one, behind a balancer whose address is the
 * base URL of them all.
 */
export interface RunningService {
  /** The first one; its end is that of them all. */
  readonly service: Service;
  readonly directory: string;
  /** Those of all services, the first one's among them. */
  readonly directories: readonly string[];
  readonly bridge: BridgeClient;
  /** The metadata of the first one, for what no operation makes. */
  readonly metadata: Metadata;
  /** What the service wrote to its log. */
  readonly logged: string[];
  /** A request to the plain HTTP door with the service's own key, or the one given (null sends none). */
  request(method: string, path: string, options?: RequestOptions): Promise<HttpAnswer>;
  /** Stops it and removes the folder. */
  stop(): Promise<void>;
}

export interface RequestOptions {
  readonly key?: string | null;
  readonly body?: unknown;
  /** Raw body with its own content type, instead of `body`. */
  readonly raw?: { readonly type: string; readonly bytes: string | Uint8Array<ArrayBuffer> };
  readonly headers?: Record<string, string>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly envelope: Envelope<never>;
}

/** `isAlone`: one service, however many a test has elsewhere, since what is tested is a service's own (docs/lab.md). */
export async function runService(
  overrides: Partial<Config> = {},
  parts: {
    readonly clock?: Clock;
    readonly open?: (options: BackendOptions) => Promise<Backend>;
    readonly sweeping?: NonNullable<Parameters<typeof startService>[1]>['sweeping'];
    readonly isAlone?: boolean;
  } = {},
): Promise<RunningService> {
  const directory = overrides.directory ?? (await mkdtemp(join(tmpdir(), 'fieldbench-')));
  const logged: string[] = [];
  const log = createLogger((line) => void logged.push(line));
  const isOwn = !inDatabase || parts.open !== undefined || overrides.store !== undefined;
  const count = isOwn || parts.isAlone === true ? 1 : SERVICES;
  const isSaid = overrides.memoryBytes !== undefined || (overrides.store ?? null) !== null;
  const memory = isSaid ? null : memoryOf(directory);
  // Each has an authority of its own: over TLS it is the first one that is asked by its address.
  const balancer = count > 1 && overrides.tls !== true ? await openBalancer() : null;
  const config = testConfig({
    publicUrl: balancer?.url ?? null,
    ...overrides,
    directory,
    ...(!isOwn && { store: await storeOf(directory) }),
    ...(memory && { memoryBytes: memory.space.total }),
  });
  let metadata: Metadata | undefined;
  const first = await startService(config, {
    ...parts,
    async open(options) {
      const backend = await (parts.open ?? openBackend)({ ...options, ...(memory && { memory }) });
      ({ metadata } = backend);
      return backend;
    },
    log,
  });
  if (!metadata) throw new TypeError('a service has metadata');
  /** Those beside it over the same database, each with a folder of its own. */
  const others: { readonly service: Service; readonly folder: string }[] = [];
  for (let i = 1; i < count; i++) {
    const folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
    const ports = { port: 0, httpPort: 0, mqttsPort: null, mqttPort: null };
    others.push({
      service: await startService({ ...config, ...ports, directory: folder }, { ...parts, log }),
      folder,
    });
  }
  const all = [first, ...others.map((other) => other.service)];
  balancer?.dealTo(all.map(({ http_url, base_url }) => Number(new URL(http_url ?? base_url).port)));
  const directories = [directory, ...others.map((other) => other.folder)];
  const anyOf = () => oneOf(all) ?? first;
  const close = async () => void (await Promise.all([balancer?.close(), ...all.map((each) => each.close())]));
  const service =
    others.length === 0 ? first : (Object.create(first, { close: { value: close } }) as Service);
  return {
    service,
    directory,
    directories,
    metadata,
    logged,
    bridge: openWindow(anyOf()).bridge,
    request: (method, path, options = {}) => request(anyOf(), method, path, options),
    async stop() {
      await close();
      for (const folder of directories) await rm(folder, { recursive: true, force: true });
      forgetMemoryOf(directory);
    },
  };
}

/** A window of a service in this process. */
export interface Window {
  readonly bridge: BridgeClient;
  /** Leads to other services, too. */
  readonly port: WindowPort;
  /** What the service posted to it. */
  readonly posted: PostedMessage[];
  /** How often it was told to read again what it shows. */
  readonly resynced: number;
  close(): void;
}

/** A window of the owner or of another principal, over the same messages as Electron's: values cross as copies. */
export function openWindow(service: Service, principal: Principal = service.owner): Window {
  const listeners = new Set<(message: PostedMessage) => void>();
  const posted: PostedMessage[] = [];
  let resynced = 0;
  const session = service.openWindow(principal, (message) => {
    const copy = structuredClone(message);
    posted.push(copy);
    queueMicrotask(() => {
      for (const listener of listeners) listener(copy);
    });
  });
  const port: WindowPort = {
    post: (message) => session.receive(structuredClone(message)),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    bridge: createBridge(portTo(port, null), () => resynced++),
    port,
    posted,
    get resynced() {
      return resynced;
    },
    close: () => session.close(),
  };
}

async function request(
  service: Service,
  method: string,
  path: string,
  { key = service.api_key, body, raw, headers = {} }: RequestOptions,
): Promise<HttpAnswer> {
  const sent = raw ? raw.bytes : body === undefined ? null : JSON.stringify(body);
  const response = await fetch(`${service.http_url ?? service.base_url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(sent !== null && { 'content-type': raw?.type ?? 'application/json' }),
      ...headers,
    },
    body: sent,
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    envelope: (json && text !== '' ? JSON.parse(text) : null) as Envelope<never>,
  };
}
