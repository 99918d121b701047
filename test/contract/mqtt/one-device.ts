import { afterAll, beforeAll } from 'vitest';
import { mqttWorld, type Device, type MqttWorld } from './world.ts';

/* A service, and the device that a test has at it: `fresh` makes another one. */

export let world: MqttWorld;
export let device: Device;

/** Starts the service for all tests of the file that calls it. */
export function serveOneDevice(): void {
  beforeAll(async () => void (world = await mqttWorld()));
  afterAll(() => world.stop());
}

/** Starts the service again, in the same folder. */
export const restart = async () => void (world = await world.restarted());

export const fresh = async () => (device = await world.makeDevice());
export const record = (n: number) => JSON.stringify({ n });
