import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startService, type Service } from '../../electron/core/service.ts';
import { createLogger } from '../../electron/core/logger.ts';
import { answerMessages, fail } from '../lib/child.ts';
import { WORKER_SCRIPT } from '../lib/worker.ts';

/** What the service's process is told: start over a directory; `setUp` makes a project and a device, then stops. */
export interface ServiceMessage {
  readonly start: { readonly directory: string };
  readonly setUp?: boolean;
}

/** Asks what the service used since it was asked the last time. */
export interface UsageMessage {
  readonly usage: true;
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
  /** ms until its doors were open. */
  readonly startMs: number;
}

export interface Usage {
  /** Of all threads, in s. */
  readonly cpuSeconds: number;
  /** Resident bytes, after a collection where the process has --expose-gc. */
  readonly rss: number;
  /** ms by which the event loop was late. */
  readonly delayP99: number;
}

const RESOLUTION_MS = 1;
let running: Service | null = null;
let cpu = process.cpuUsage();
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

answerMessages((message: ServiceMessage | UsageMessage) =>
  'usage' in message ? usage() : startOver(message),
);

async function startOver({ start, setUp }: ServiceMessage): Promise<Setup | Started> {
  const began = performance.now();
  const service = await startService(
    {
      directory: start.directory,
      host: '127.0.0.1',
      port: 0,
      httpPort: null,
      tls: false,
      vault: 'memory',
      keychainPatienceMs: 10_000,
      passphrase: null,
      strict: false,
      mqttPort: null,
      mqttsPort: null,
      rendererDirectory: null,
      workerScript: WORKER_SCRIPT,
    },
    { log: createLogger((line) => process.stderr.write(line)) },
  );
  running = service;
  if (setUp) return createDevice(service);
  return { url: service.base_url, key: service.api_key, startMs: performance.now() - began };
}

function usage(): Usage {
  const { user, system } = process.cpuUsage(cpu);
  // The histogram counts its own resolution in.
  const delayP99 = Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS);
  globalThis.gc?.();
  const { rss } = process.memoryUsage();
  delay.reset();
  delay.enable();
  cpu = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, rss, delayP99 };
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
