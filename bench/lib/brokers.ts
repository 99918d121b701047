import type { MqttDevice } from '../children/mqtt-load.ts';
import type { Started } from '../children/service.ts';
import { mosquittoVersion, startMosquitto } from '../peers/mosquitto.ts';
import { startChild } from './process.ts';
import type { Usage } from './usage.ts';

/** What answers MQTT on a port of this machine. */
export interface Broker {
  readonly port: number;
  readonly usage: () => Promise<Usage>;
}

export interface Brokers {
  readonly ours: Broker;
  readonly aedes: Broker;
  /** Null where it is not installed. */
  readonly mosquitto: (Broker & { readonly version: string }) | null;
  stop(): Promise<void>;
}

const MADE_AT_ONCE = 16;

/** Devices in a service's folder that is made for them. */
export async function fleetOf(directory: string, devices: number): Promise<MqttDevice[]> {
  const service = startChild('service');
  try {
    const { url, key } = await service.ask<Started>({ start: { directory } });
    const post = async <T>(path: string, body: object): Promise<T> => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return ((await response.json()) as { data: T }).data;
    };
    const project = await post<{ id: string }>('/_local/v1/projects', { name: 'Fleet' });
    const made: MqttDevice[] = [];
    const make = async () => {
      while (made.length < devices) {
        const body = { name: 'Sensor', source: 'mqtt' };
        const path = `/v2/projects/${project.id}/devices`;
        const { id, metadata } = await post<{ id: string; metadata: { device_token: string } }>(path, body);
        made.push({ id, token: metadata.device_token });
      }
    };
    await Promise.all(Array.from({ length: MADE_AT_ONCE }, make));
    return made.slice(0, devices);
  } finally {
    await service.stop();
  }
}

/** Starts all that there are: ours over a folder that a fleet was made in, the others with what they need in another. */
export async function startBrokers(directory: string, folder: string): Promise<Brokers> {
  const service = startChild('service', ['--expose-gc']);
  const aedes = startChild('aedes', ['--expose-gc']);
  const version = mosquittoVersion();
  const mosquitto = version === null ? null : await startMosquitto(folder);
  const stop = async () => {
    await service.stop();
    await aedes.stop();
    await mosquitto?.stop();
  };
  try {
    const ours = await service.ask<Started>({ start: { directory, hasMqtt: true } });
    const theirs = await aedes.ask<{ mqttPort: number }>({ start: true });
    return {
      ours: { port: ours.mqttPort, usage: () => service.ask<Usage>({ usage: true }) },
      aedes: { port: theirs.mqttPort, usage: () => aedes.ask<Usage>({ usage: true }) },
      mosquitto:
        mosquitto === null || version === null
          ? null
          : { port: mosquitto.mqttPort, version, usage: mosquitto.usage },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
