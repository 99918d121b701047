import type { Context, LiveDoors, Urls } from '../api/context.ts';
import { createRemovals } from '../api/exports/removals.ts';
import { RuleProblems } from '../api/rules/rule-problems.ts';
import { createDispatch } from '../api/dispatch.ts';
import { atTerminal, current, ownerOf } from '../api/principal.ts';
import { handlers } from '../api/handlers/index.ts';
import { serviceKey } from '../api/api-keys.ts';
import { Successors } from '../api/corrections/successors.ts';
import { openSweep, type Sweep } from '../api/removal/sweep.ts';
import { toldTickets } from '../api/trail/told-tickets.ts';
import { lookForUnknownDevices, type UnknownDevices } from '../api/unknown-devices.ts';
import type { Config } from '../base/config.ts';
import { DiskFaults } from '../faults/disk-faults.ts';
import { openControl } from '../control/control.ts';
import { Readiness } from '../http/readiness.ts';
import { createAuthenticate } from '../http/authenticate.ts';
import { connectionLimits } from '../http/connections.ts';
import { openDoors } from '../http/server.ts';
import { createHttpFaults } from '../http/faults/meet.ts';
import { createWindowDoor } from '../http/window-door.ts';
import { createMemoryBudget } from '../ingest/memory-budget.ts';
import { openMqttDoors } from '../mqtt/doors.ts';
import type { Mqtt } from '../mqtt/mqtt.ts';
import { createPeerLimits } from '../net/peers.ts';
import { ownNames } from '../tls/names.ts';
import type { TlsFiles } from '../tls/tls.ts';
import { OtherServices } from '../remote/other-services.ts';
import { createHttpIngest } from '../http/ingest.ts';
import { FairSemaphore } from '../turns/semaphore.ts';
import { Slices } from '../turns/slices.ts';
import { Merges } from '../sync/merges.ts';
import { createFairQueue, EXPORTS, FILES } from '../turns/fair-queue.ts';
import { createLogger } from '../base/logger.ts';
import { changedBy } from '../store/metadata/metadata.ts';
import { BY_ITSELF } from '../store/trail/entry.ts';
import { aboutSecrets } from '../vault/about.ts';
import { readDoorSettings, withDoorSettings } from './door-settings.ts';
import { createLiveDoors } from './live-doors.ts';
import { openAlarmMessages } from './alarm-messages.ts';
import { openClock } from './open-clock.ts';
import { openJournals } from './open-journals.ts';
import { openCertificate } from './open-certificate.ts';
import { openRequests } from './open-requests.ts';
import { openIngest } from './open-ingest.ts';
import { openMqttFor } from './open-mqtt.ts';
import { openRig } from './open-rig.ts';
import { openRulesFor } from './open-rules.ts';
import { createWindows } from './open-window.ts';
import { openBackend } from './open-backend.ts';
import { listens, readSeedFile } from './part-way.ts';
import type { Service } from './running-service.ts';
import type { ServiceParts } from './service-parts.ts';
import { settle } from './settle.ts';

export type { Service } from './running-service.ts';

/** How long requests under way may take to finish when the service stops. */
const CLOSE_GRACE_MS = 3000;
/** A device sends as long as its last record is not older. */
const SENDING_US = 300_000_000;
/** How often it is looked for what was deleted and is due to go for good. */
const SWEEP_MS = 60_000;
const SWEEP_ORIGIN = { ...BY_ITSELF, operation: 'service.sweep' };
/** Surveys of many records at once: each holds some 40 MB at most, or the packed records of a page, and keeps a processor busy. An API key has one of them. */
const SURVEYS = 2;

/**
 * Builds everything from a Config and starts it; what was started is stopped in reverse order, also when a later part
 * cannot start. Throws StartError, VaultError or StoreError, whose messages are for the person who started it.
 */
export async function startService(given: Config, parts: ServiceParts = {}): Promise<Service> {
  const {
    log = createLogger((line) => process.stderr.write(line)),
    host = {},
    open = openBackend,
    sweeping = {},
    signal,
  } = parts;
  const { clock, rigClock, notes: clockNotes } = openClock(given.clock, parts.clock);
  const stack = new AsyncDisposableStack();
  try {
    signal?.throwIfAborted();
    const seedFile = await readSeedFile(given.seedFile);
    const control = openControl({ host, log });
    const disk = given.strict || given.store !== null ? null : new DiskFaults();
    const backend = await open({
      ...given,
      clock,
      ...(disk && { filesOver: (files) => disk.over(files) }),
      say: (line) => log.warn(line),
      connected: (socket) => control.connected(socket),
      ...(signal && { signal }),
    });
    stack.defer(() => backend.close());
    signal?.throwIfAborted();
    const { metadata, events, chance, ownFiles: files } = backend;
    const { directory } = given;
    const started: string[] = [];
    const chosen = await readDoorSettings({ directory, files }, (line) => started.push(line));
    const config = withDoorSettings(given, chosen);
    const { default_account_id } = await metadata.read((tables) => tables.settings());
    const journals = await openJournals({ ...backend, clock, default_account_id, log }, stack);
    const { decoders, ingest } = openIngest({ ...given, ...parts, ...backend, ...journals, log }, stack);
    const otherServices = await OtherServices.open({ directory, files }, { vault: backend.vault, chance });
    started.push(...otherServices.notes);
    const requests = openRequests({ clock, events, metadata, default_account_id, log });
    stack.defer(() => requests.close());

    let urls: (() => Urls) | null = null;
    let liveDoors: LiveDoors | null = null;
    let mqtt: Mqtt | null = null;
    let sweep: Sweep | null = null;
    let unknown: UnknownDevices | null = null;
    let tls: TlsFiles | null = null;
    const places = {
      caCertificate: () => tls?.ca_certificate ?? null,
      urls: () => listens(urls)(),
    };
    const rig = openRig({ ...backend, ...places, default_account_id, disk, ingest, clock, log });
    const { faults, simulators } = rig;
    const context: Context = {
      ...backend,
      ...places,
      config,
      clock,
      rigClock,
      seedFile,
      default_account_id,
      requests,
      decoders,
      ...rig,
      ...journals,
      otherServices,
      exports: createFairQueue({ ...EXPORTS, log }),
      files: createFairQueue({ ...FILES, log }),
      surveys: new FairSemaphore(SURVEYS, 1),
      merges: new Merges(),
      removals: createRemovals(events, chance),
      ruleProblems: new RuleProblems(),
      startedAt: clock.now(),
      notes: () => [
        ...clockNotes(),
        ...faults.notes,
        ...started,
        ...backend.notes,
        ...(unknown?.notes ?? []),
        ...(sweep?.notes ?? []),
        ...(tls?.notes ?? []),
        ...(mqtt?.notes ?? []),
      ],
      mqtt: () => ({ connections: mqtt?.connections ?? 0, refused: mqtt?.refused ?? 0 }),
      doors: () => listens(liveDoors),
    };
    started.push(...(await settle(context)));
    const successors = new Successors({ ...context, log });
    stack.defer(() => successors.close());
    const sweeper = { ...context, metadata: changedBy(metadata, SWEEP_ORIGIN) };
    const swept = openSweep(sweeper, {
      everyMs: SWEEP_MS,
      freeShare: () => backend.freeShare(),
      log,
      ...sweeping,
    });
    stack.defer(() => swept.close());
    sweep = swept;
    for (const note of context.notes()) log.warn(note);
    const api_key = await serviceKey(context);
    const owner = ownerOf(default_account_id);
    const dispatch = createDispatch(context, handlers, log);
    const budget = createMemoryBudget();
    const slices = new Slices();
    const { openWindow, offered } = createWindows({ dispatch, context, budget, log });

    const peers = createPeerLimits(config.trustedProxies);
    const names = () => ownNames(liveDoors?.host ?? config.host, config.publicUrl);
    signal?.throwIfAborted();
    tls = config.tls ? await openCertificate(config, { backend, names, log }) : null;
    stack.defer(() => tls?.close());
    for (const note of tls?.notes ?? []) log.warn(note);
    mqtt = await openMqttFor(
      config,
      { ...backend, ...peers, ingest, faults, requests, budget, clock, log },
      { stack, graceMs: CLOSE_GRACE_MS },
    );
    if (mqtt !== null) {
      const messages = await openAlarmMessages({ ...backend, mqtt, log }, stack);
      openRulesFor(context, { messages, log }, stack);
    }
    const mqttDoors = await openMqttDoors(config, { mqtt, tls, names, peers });
    stack.defer(() => mqttDoors.close());
    const authenticate = createAuthenticate(metadata, clock, (id, now) => backend.keyUse.note(id, now));
    const readiness = new Readiness({ ask: () => metadata.read((tables) => tables.settings()), log });
    const doors = await openDoors({
      readiness,
      config,
      connectionLimits: connectionLimits(peers),
      budget,
      slices,
      requests,
      faults: createHttpFaults({ faults, authenticate, metadata }),
      acceptMqtt: mqtt && ((stream, address) => mqtt?.accept(stream, address, 'ws')),
      names,
      dispatch,
      authenticate,
      ingest: createHttpIngest({ ingest, metadata, clock, log }),
      tickets: toldTickets(backend.tickets, { metadata, account_id: default_account_id, log }),
      openWindow: (post, wire) => openWindow(owner, post, wire),
      offered,
      windows: config.strict
        ? null
        : createWindowDoor({
            authenticate,
            current: (principal) => current(principal, context),
            openWindow,
            slices,
            log,
          }),
      tls,
      log,
    });
    stack.defer(async () => {
      // WebSockets of MQTT hold the doors of HTTP open.
      await Promise.all([doors.close(CLOSE_GRACE_MS), mqtt?.close(CLOSE_GRACE_MS)]);
    });
    // Whom they keep waiting would hold the doors open.
    stack.defer(() => faults.close());
    const ca_file = tls?.ca_file ?? null;
    const listening = (): Urls => {
      const { http_url, mqtt_websocket_urls } = doors;
      const base_url = config.publicUrl ?? doors.base_url;
      const { mqtt_url, mqtts_url, mqtt_shut } = mqttDoors;
      return { base_url, http_url, mqtt_url, mqtts_url, mqtt_websocket_urls, mqtt_shut, ca_file };
    };
    urls = listening;
    const heard = new Set<() => void>();
    const moved = () => {
      void tls?.renew();
      for (const listener of heard) listener();
    };
    liveDoors = createLiveDoors({ config, files, chosen, http: doors, mqtt: mqttDoors, moved });

    signal?.throwIfAborted();
    if (!backend.work.isShared) {
      const looked = lookForUnknownDevices(context, log);
      stack.defer(() => looked.close());
      unknown = looked;
    }
    // Before the doors that they go through.
    stack.defer(() => simulators.close());
    control.started({ dispatch, owner: atTerminal(owner), events, consoleUrl: () => doors.console_url() });
    stack.defer(() => control.close());

    return {
      get base_url() {
        return listening().base_url;
      },
      get http_url() {
        return listening().http_url;
      },
      get mqtt_url() {
        return listening().mqtt_url;
      },
      get mqtts_url() {
        return listening().mqtts_url;
      },
      get mqtt_websocket_urls() {
        return listening().mqtt_websocket_urls;
      },
      get mqtt_shut() {
        return listening().mqtt_shut;
      },
      ca_file,
      ca_certificate: tls?.ca_certificate ?? null,
      get host() {
        return context.doors().host;
      },
      onMoved: (listener) => void heard.add(listener),
      account_id: default_account_id,
      api_key,
      secrets: aboutSecrets(backend.vault.kind, backend.secrets.about),
      console_url: () => doors.console_url(),
      owner,
      openWindow,
      takeFile: (path) => offered.take(path),
      underWay: async () => ({
        sending: requests.sending(clock.now() - SENDING_US),
        jobs: (await backend.jobs.running()).length,
      }),
      drain: () => readiness.drain(),
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
