import { afterEach, beforeEach } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, SETTABLE, type World } from '../world.ts';

/* A service with the world whose snapshots are taken, and how they are asked for; each test finds another. */

export let service: RunningService;
export let world: World;

/** For all tests of the file that calls it. */
export function worldOfSnapshots(): void {
  beforeEach(async () => {
    service = await runService({ vault: 'file', clock: SETTABLE }, { isAlone: true });
    world = await createWorld(service);
  });
  afterEach(() => service.stop());
}

export const SNAPSHOTS = '/_local/v1/snapshots';
export const ask = (method: string, path: string, body?: unknown, key?: string | null) =>
  service.request(method, path, { ...(body !== undefined && { body }), ...(key !== undefined && { key }) });
export const save = (name: string, key?: string) => ask('POST', SNAPSHOTS, { name }, key);
export const restore = (name: string, key?: string) => ask('POST', `${SNAPSHOTS}/${name}/restore`, {}, key);

export async function names(key?: string): Promise<readonly string[]> {
  const { envelope } = await ask('GET', SNAPSHOTS, undefined, key);
  return (envelope.data as unknown as { readonly name: string }[]).map(({ name }) => name);
}

/** Ends the service, and starts another over its files. */
export async function restart(): Promise<void> {
  const { directory } = service;
  await service.service.close();
  service = await runService({ directory, vault: 'file', clock: SETTABLE }, { isAlone: true });
}
