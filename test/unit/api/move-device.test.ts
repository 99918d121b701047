import { expect, test } from 'vitest';
import { moveDevice } from '#core/api/devices/move-device.ts';
import { finishDeletions } from '#core/api/removal/pending.ts';
import type { Context } from '#core/api/context.ts';
import { createSystemClock } from '#core/base/system-clock.ts';
import { createOwnWork } from '#core/work/shared-work.ts';
import { createMemoryVault } from '#core/vault/memory.ts';
import type { Vault } from '#core/vault/vault.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { createMemoryMetadata } from '../../helpers/store/memory-metadata.ts';
import { aDevice, aProject } from '../../suites/metadata/rows.ts';

/* A device that moves has its token in its own project alone, whenever the service is killed. */

const TOKEN = 't'.repeat(40);
/** More steps than a move has. */
const STEPS = 12;

class Killed extends Error {}

/** Lets `steps` changes through; from then on nothing happens any more. */
function killedAfter(steps: number, metadata: Metadata, vault: Vault) {
  let left = steps;
  const step = () => {
    if (left-- <= 0) throw new Killed();
  };
  const dying = {
    ...metadata,
    change: async <T>(work: Parameters<Metadata['change']>[0]) => {
      step();
      return (await metadata.change(work)) as T;
    },
  };
  const dyingVault: Vault = {
    ...vault,
    get: (ref) => vault.get(ref),
    set: async (ref, secret) => {
      step();
      await vault.set(ref, secret);
    },
    delete: async (ref) => {
      step();
      await vault.delete(ref);
    },
  };
  return { metadata: dying as Metadata, vault: dyingVault };
}

const tokenIn = (vault: Vault, project_id: string) =>
  vault.get({ kind: 'device-token', project_id, device_id: 'd' });

async function world() {
  const metadata = createMemoryMetadata();
  const vault = createMemoryVault();
  await metadata.change(async (tables) => {
    for (const id of ['from', 'to']) await tables.insert('projects', aProject(id, 'a'));
    await tables.insert('devices', aDevice('d', 'from'));
  });
  await vault.set({ kind: 'device-token', project_id: 'from', device_id: 'd' }, TOKEN);
  return { metadata, vault };
}

const ownWork = createOwnWork();

test.each(Array.from({ length: STEPS }, (_, n) => n))('killed after %i steps', async (steps) => {
  const { metadata, vault } = await world();
  const events = { publish: () => {} };
  const [project, device] = await metadata.read(async (tables) => [
    await tables.get('projects', 'from'),
    await tables.get('devices', 'd'),
  ]);
  if (!project || !device) throw new Error('the world is not whole');
  const rest = { events, work: ownWork, clock: createSystemClock() };
  const dying = { ...killedAfter(steps, metadata, vault), ...rest } as unknown as Context;
  const moved = await moveDevice(project, device, { to: 'to' }, dying).catch((error: unknown) => error);
  if (moved instanceof Error) expect(moved).toBeInstanceOf(Killed);

  await finishDeletions({ metadata, vault, work: ownWork } as unknown as Context);
  const now = await metadata.read(async (tables) => ({
    device: await tables.get('devices', 'd'),
    notes: await tables.deletions(),
  }));
  expect(now.notes).toEqual([]);
  const own = now.device?.project_id ?? '';
  const other = own === 'from' ? 'to' : 'from';
  expect(await tokenIn(vault, own)).toBe(TOKEN);
  expect(await tokenIn(vault, other)).toBe(null);
  if (!(moved instanceof Error)) expect(own).toBe('to');
});
