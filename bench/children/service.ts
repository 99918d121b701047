import { startService, type Service } from '../../electron/core/service/service.ts';
import { createLogger } from '../../electron/core/base/logger.ts';
import { answerMessages, fail } from '../lib/child.ts';
import { followUsage, type UsageMessage } from '../lib/usage.ts';
import { builtIsolate, builtWorker } from '../lib/built.ts';

/**
 * What the service's process is told: start over a directory, or over a database beside it, with an MQTT door on any port;
 * `setUp` makes a project and a device, then stops.
 */
export interface ServiceMessage {
  readonly start: {
    readonly directory: string;
    readonly hasMqtt?: boolean;
    /** `memory` where it is not said, since a vault's cost is its own. */
    readonly vault?: 'memory' | 'file';
    readonly store?: { readonly url: string; readonly keyFile: string };
  };
  readonly setUp?: boolean;
}

/** A project with a device that stores over HTTP. */
export interface Setup {
  readonly project: string;
  readonly device: string;
  readonly token: string;
}

export interface Started {
  readonly url: string;
  readonly key: string;
  /** 0: its door of MQTT is shut. */
  readonly mqttPort: number;
  /** ms until its doors were open. */
  readonly startMs: number;
}

let running: Service | null = null;
const usage = followUsage();

answerMessages((message: ServiceMessage | UsageMessage) =>
  'usage' in message ? usage() : startOver(message),
);

async function startOver({ start, setUp }: ServiceMessage): Promise<Setup | Started> {
  const began = performance.now();
  const service = await startService(
    {
      directory: start.directory,
      memoryBytes: null,
      host: '127.0.0.1',
      port: 0,
      httpPort: null,
      tls: false,
      store: start.store ? { ...start.store, password: null } : null,
      publicUrl: null,
      trustedProxies: [],
      certificate: null,
      clock: null,
      seedFile: null,
      seed: null,
      flags: null,
      vault: start.vault ?? 'memory',
      keychainPatienceMs: 10_000,
      passphrase: null,
      backupCost: null,
      isPortable: false,
      strict: false,
      mqttPort: start.hasMqtt === true ? { number: 0, isAsked: true } : null,
      mqttsPort: null,
      rendererDirectory: null,
      workerScript: builtWorker(),
      isolateScript: builtIsolate(),
    },
    { log: createLogger((line) => process.stderr.write(line)) },
  );
  running = service;
  if (setUp) return createDevice(service);
  const mqttPort = service.mqtt_url === null ? 0 : Number(new URL(service.mqtt_url).port);
  return { url: service.base_url, key: service.api_key, mqttPort, startMs: performance.now() - began };
}

process.on('disconnect', () => {
  Promise.resolve(running?.close()).then(() => process.exit(0), fail);
});

async function createDevice(service: Service): Promise<Setup> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${service.base_url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.api_key}` },
      body: JSON.stringify(body),
    });
    const { data } = (await response.json()) as { data: { id: string; metadata?: { device_token: string } } };
    return data;
  };
  const project = await post('/_local/v1/projects', { name: 'Bench' });
  const device = await post(`/v2/projects/${project.id}/devices`, { name: 'Bench', source: 'http' });
  return { project: project.id, device: device.id, token: device.metadata?.device_token ?? '' };
}
