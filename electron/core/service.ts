import { PERMISSIONS } from '#shared/schemas.ts';
import type { ServerMessage } from '#shared/wire.ts';
import type { Principal } from './api/call.ts';
import type { Context, Urls } from './api/context.ts';
import { createDispatch } from './api/dispatch.ts';
import { current } from './api/principal.ts';
import { handlers } from './api/handlers/index.ts';
import { serviceKey } from './api/api-keys.ts';
import { finishDeletions } from './api/removal/pending.ts';
import { openSession, type Session } from './bridge/session.ts';
import { unknownDevices } from './api/unknown-devices.ts';
import type { Awaitable } from './awaitable.ts';
import type { Backend } from './backend.ts';
import { clockNotes, createSystemClock, type Clock } from './clock.ts';
import type { Config } from './config.ts';
import { openControl, type Host } from './control/control.ts';
import { nodeFiles } from './disk/files.ts';
import { createAuthenticate } from './http/authenticate.ts';
import { openDoors } from './http/server.ts';
import { createBodies } from './ingest/bodies.ts';
import { openMqttDoors } from './mqtt/doors.ts';
import { openMqtt, type Mqtt } from './mqtt/mqtt.ts';
import { MOST_OF_PEER, peerOfAddress } from './net/address.ts';
import { checkHost } from './net/listen.ts';
import { ownNames } from './tls/names.ts';
import { openTls, type TlsFiles } from './tls/tls.ts';
import { createHttpIngest } from './http/ingest.ts';
import { createIngest } from './ingest/ingest.ts';
import { createTurns } from './work/turns.ts';
import { createLogger, type Logger } from './logger.ts';
import { aboutSecrets } from './vault/about.ts';
import { usedKind } from './vault/kind-record.ts';
import { openFolder, type FolderOptions } from './open-folder.ts';

/** The running service. */
export interface Service extends Urls {
  readonly account_id: string;
  /** The service's own key of the default account, with every permission. */
  readonly api_key: string;
  /** Where secrets are kept and why, and what is to be known of it: lines for who starts the service. */
  readonly secrets: readonly string[];
  /** The browser console with a fresh one-time token; null where there is none (strict, or no built renderer). */
  console_url(): string | null;
  /** Whose the app's own windows are, and those of the console. */
  readonly owner: Principal;
  /**
   * Connects a window: what it posts goes to `receive`, what `post` gets goes to it. It may do and hear of what the
   * principal may, and nothing once the principal's key was revoked or has expired. `room` waits until bulk data may follow
   * what was posted.
   */
  openWindow(
    principal: Principal,
    post: (message: ServerMessage) => void,
    room?: () => Awaitable<void>,
  ): Session;
  /** Stops accepting, finishes what runs, flushes. Safe to call twice. */
  close(): Promise<void>;
}

/** How long requests under way may take to finish when the service stops. */
const CLOSE_GRACE_MS = 3000;
/** Exports at once: enough to keep the threads busy, few enough for a small machine's memory. */
const EXPORTS = { most: 4, aside: 32, patienceMs: 2000, limitMs: 60_000 } as const;

/**
 * Builds everything from a Config and starts it; what was started is stopped in reverse order, also when a later part
 * cannot start. Throws StartError, VaultError or StoreError, whose messages are for the person who started it.
 */
export async function startService(
  config: Config,
  parts: {
    readonly clock?: Clock;
    readonly log?: Logger;
    /** What runs the service; without one nobody can stop it by the data directory's socket. */
    readonly host?: Host;
    /** Opens what everything else is built on: the data folder. */
    readonly open?: (options: FolderOptions) => Promise<Backend>;
    /** Ends the start where it has to wait; its reason, a StartError, is thrown once all is closed again. */
    readonly signal?: AbortSignal;
  } = {},
): Promise<Service> {
  const {
    clock = createSystemClock(),
    log = createLogger((line) => process.stderr.write(line)),
    host = {},
    open = openFolder,
    signal,
  } = parts;
  const stack = new AsyncDisposableStack();
  try {
    signal?.throwIfAborted();
    const control = openControl({ host, log });
    const backend = await open({
      ...config,
      clock,
      say: (line) => log.warn(line),
      connected: (socket) => control.connected(socket),
      ...(signal && { signal }),
    });
    stack.defer(() => backend.close());
    signal?.throwIfAborted();
    const { records, metadata, events } = backend;
    const { default_account_id } = await metadata.read((tables) => tables.settings());
    const ingest = createIngest({ records, events });
    stack.defer(() => ingest.close());

    const started: string[] = [];
    let urls: Urls | null = null;
    let mqtt: Mqtt | null = null;
    let tls: TlsFiles | null = null;
    const context: Context = {
      ...backend,
      config,
      clock,
      default_account_id,
      turns: createTurns({ ...EXPORTS, log }),
      startedAt: clock.now(),
      notes: () => [
        ...clockNotes(clock),
        ...started,
        ...backend.notes,
        ...(tls?.notes ?? []),
        ...(mqtt?.notes ?? []),
      ],
      mqtt: () => ({ connections: mqtt?.connections ?? 0, refused: mqtt?.refused ?? 0 }),
      caCertificate: () => tls?.ca_certificate ?? null,
      urls() {
        if (!urls) throw new Error('The service does not listen yet.');
        return urls;
      },
    };
    started.push(...(await finishDeletions(context)), ...(await unknownDevices(context)));
    for (const note of context.notes()) log.warn(note);
    const api_key = await serviceKey(context);
    const owner: Principal = {
      account_id: default_account_id,
      permissions: new Set(PERMISSIONS),
      project_ids: null,
      key_id: null,
    };
    const dispatch = createDispatch(context, handlers, log);
    const openWindow: Service['openWindow'] = (principal, post, room) => {
      const authenticate = () => current(principal, context);
      return openSession({ dispatch, authenticate, events, post, log, ...(room && { room }) });
    };

    const names = () => ownNames(config.host);
    const { vault } = backend;
    signal?.throwIfAborted();
    if (config.tls) {
      await checkHost(config.host);
      const { directory } = config;
      // An authority that ends with this start must not take the place of one that people trust.
      const isOther = (await usedKind({ directory, files: nodeFiles }, false)) !== vault.kind;
      const place = { directory, folder: isOther ? 'tls-memory' : 'tls', host: config.host };
      const opened = await openTls({ ...place, names, vault, clock, log });
      stack.defer(() => opened.close());
      for (const note of opened.notes) log.warn(note);
      tls = opened;
    }
    const bodies = createBodies();
    if (!config.strict) {
      const journal = backend.journal('mqtt-sessions', 1);
      const peers = { mostOfPeer: MOST_OF_PEER, peerOf: peerOfAddress };
      const opened = await openMqtt({ ingest, metadata, events, bodies, journal, clock, log, ...peers });
      stack.defer(() => opened.close(CLOSE_GRACE_MS));
      for (const note of opened.notes) log.warn(note);
      mqtt = opened;
    }
    const mqttDoors = await openMqttDoors(config, { mqtt, tls, names });
    stack.defer(() => mqttDoors.close());
    const doors = await openDoors({
      config,
      bodies,
      acceptMqtt: mqtt && ((stream, address) => mqtt?.accept(stream, address)),
      names,
      dispatch,
      authenticate: createAuthenticate(metadata, clock),
      ingest: createHttpIngest({ ingest, metadata, clock, log }),
      openWindow: (post, room) => openWindow(owner, post, room),
      tls,
      log,
    });
    stack.defer(async () => {
      // WebSockets of MQTT hold the doors of HTTP open.
      await Promise.all([doors.close(CLOSE_GRACE_MS), mqtt?.close(CLOSE_GRACE_MS)]);
    });
    const { base_url, http_url, mqtt_websocket_urls } = doors;
    const { mqtt_url, mqtts_url, mqtt_shut } = mqttDoors;
    const ca_file = tls?.ca_file ?? null;
    urls = { base_url, http_url, mqtt_url, mqtts_url, mqtt_websocket_urls, mqtt_shut, ca_file };

    signal?.throwIfAborted();
    control.started({ dispatch, owner, consoleUrl: () => doors.console_url() });
    stack.defer(() => control.close());

    return {
      ...urls,
      account_id: default_account_id,
      api_key,
      secrets: aboutSecrets(backend.vault.kind, backend.aboutVault),
      console_url: () => doors.console_url(),
      owner,
      openWindow,
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
