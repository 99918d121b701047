import type { SelfTest } from '#shared/operations/service/secrets.ts';
import { VaultError } from '../base/errors.ts';
import { machineClock } from '../base/machine-clock.ts';
import { systemRandom } from '../base/system-random.ts';
import type { SecretRef, Vault } from './vault.ts';

/** Keeps something for a moment, reads it from where it is kept, and deletes it. */
export async function testVault(vault: Pick<Vault, 'set' | 'delete' | 'readKept'>): Promise<SelfTest> {
  const id = systemRandom.bytes(8).toString('hex');
  const ref: SecretRef = { kind: 'probe', id };
  const secret = systemRandom.bytes(16).toString('hex');
  const steps: SelfTest['steps'][number][] = [];
  const step = async (name: (typeof steps)[number]['step'], run: () => Promise<string | null>) => {
    const began = machineClock.monotonicMs();
    const problem = await run().catch((error: unknown) => {
      if (error instanceof VaultError) return error.message;
      return `It failed in a way that was not foreseen: ${error instanceof Error ? error.message : String(error)}`;
    });
    steps.push({ step: name, problem, took_ms: Math.round(machineClock.monotonicMs() - began) });
    return problem === null;
  };
  const kept = async () => (await vault.readKept([ref]))[0] ?? null;
  const isWritten = await step('write', () => vault.set(ref, secret).then(() => null));
  if (isWritten) await step('read', async () => ((await kept()) === secret ? null : OTHER));
  const isGone = await step('delete', () => vault.delete(ref).then(() => null));
  if (isGone) await step('gone', async () => ((await kept()) === null ? null : STAYS));
  return { is_well: steps.every(({ problem }) => problem === null), steps };
}

const OTHER =
  'It gave back something else than was written. Keep nothing new in it: move the secrets to another vault, and look after the disk.';
const STAYS = 'What was deleted is still there. Start the service again, and test once more.';
