import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connect, type IClientOptions } from 'mqtt';
import { pythonWithPaho } from '../../helpers/paho.ts';

/* Clients that no one here wrote, which send again what was not acknowledged whenever the service is there again. */

export interface Target {
  readonly project: string;
  readonly id: string;
  readonly token: string;
}

/** Publishes records numbered from 0, some of them at a time, until it is told to stop. */
export interface Publisher {
  readonly name: string;
  readonly device: Target;
  readonly qos: 1 | 2;
  readonly acknowledged: ReadonlySet<number>;
  /** Resolves when all that was begun is acknowledged. */
  stop(): Promise<void>;
  end(): Promise<void>;
}

/** Everything that its device published, as a client of a persistent session heard it. */
export interface Hearer {
  readonly heard: ReadonlyMap<number, number>;
  end(): Promise<void>;
}

const AT_ONCE = 10;
const RECONNECT_MS = 20;

const optionsOf = (version: 4 | 5, { id, token }: Target): IClientOptions => ({
  protocolVersion: version,
  username: id,
  password: token,
  clean: false,
  reconnectPeriod: RECONNECT_MS,
  ...(version === 5 && { properties: { sessionExpiryInterval: 3600 } }),
});

export function publishWithMqttJs(
  port: number,
  device: Target,
  { version, qos }: { readonly version: 4 | 5; readonly qos: 1 | 2 },
): Publisher {
  const client = connect(`mqtt://127.0.0.1:${port}`, {
    ...optionsOf(version, device),
    clientId: 'publisher',
  });
  client.on('error', () => {});
  const acknowledged = new Set<number>();
  let begun = 0;
  /** Of those that it gives back unsent, where a connection ends as it begins, nothing is to be expected. */
  let givenBack = 0;
  let isStopped = false;
  const drained = Promise.withResolvers<void>();
  const fill = () => {
    const open = () => begun - acknowledged.size - givenBack;
    if (!isStopped) while (open() < AT_ONCE) publish(begun++);
    else if (open() === 0) drained.resolve();
  };
  const publish = (n: number) => {
    client.publish(device.id, JSON.stringify({ n }), { qos }, (error) => {
      if (error) givenBack++;
      else acknowledged.add(n);
      setImmediate(fill);
    });
  };
  client.once('connect', fill);
  return {
    name: `mqtt.js ${version === 5 ? '5' : '3.1.1'}, QoS ${qos}`,
    device,
    qos,
    acknowledged,
    async stop() {
      isStopped = true;
      fill();
      await drained.promise;
    },
    end: () => client.endAsync(true),
  };
}

/** Null where there is no paho. */
export function publishWithPaho(port: number, device: Target, qos: 1 | 2): Publisher | null {
  if (pythonWithPaho === null) return null;
  const script = fileURLToPath(new URL('paho-publisher.py', import.meta.url));
  const child = spawn(pythonWithPaho, [script, String(port), device.id, device.token, String(qos)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const acknowledged = new Set<number>();
  createInterface(child.stdout).on('line', (line) => acknowledged.add(Number(line)));
  return {
    name: `paho 3.1.1, QoS ${qos}`,
    device,
    qos,
    acknowledged,
    async stop() {
      child.stdin.end();
      await exited;
    },
    async end() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Resolves once the broker has said that it is subscribed: of what is published before, nobody is to hear. */
export async function hear(port: number, device: Target, version: 4 | 5): Promise<Hearer> {
  const client = connect(`mqtt://127.0.0.1:${port}`, { ...optionsOf(version, device), clientId: 'hearer' });
  const heard = new Map<number, number>();
  client.on('error', () => {});
  client.on('message', (_topic, payload) => {
    const { n } = JSON.parse(payload.toString()) as { n: number };
    heard.set(n, (heard.get(n) ?? 0) + 1);
  });
  await client.subscribeAsync(device.id, { qos: 2 });
  return { heard, end: () => client.endAsync(true) };
}
