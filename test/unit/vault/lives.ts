import { openEncryptedFile } from '#core/vault/encrypted-file.ts';
import type { SecretRef, Vault } from '#core/vault/vault.ts';
import type { DiskFiles } from '../../faults/disk-files.ts';

/* Two lives of a file vault on a disk in memory, for tests of what may become of it. */

/** The least that scrypt takes: these tests open thousands of vaults. */
const cost = 2;
const quiet = { warn: () => {} };

export const open = (files: DiskFiles, passphrase: string | null) =>
  openEncryptedFile({ directory: '/', passphrase, cost, files, log: quiet });

export const tokenOf = (device_id: string, project_id = 'p'): SecretRef => ({
  kind: 'device-token',
  project_id,
  device_id,
});
export const key: SecretRef = { kind: 'api-key', id: 'k' };
export const REFS = [key, tokenOf('a'), tokenOf('b'), tokenOf('c', 'q')];

export type Held = readonly (string | null)[];
export const held = (vault: Vault): Promise<Held> => Promise.all(REFS.map((ref) => vault.get(ref)));

/** A step of a vault's life, and what it holds after it. */
interface Step {
  readonly act: (vault: Vault) => Promise<unknown>;
  readonly holds: Held;
}

export const FIRST_LIFE: readonly Step[] = [
  { act: (vault) => vault.set(key, 'key'), holds: ['key', null, null, null] },
  {
    act: (vault) => Promise.all([vault.set(tokenOf('a'), 'A'), vault.set(tokenOf('c', 'q'), 'C')]),
    holds: ['key', 'A', null, 'C'],
  },
  { act: (vault) => vault.set(tokenOf('a'), 'A2'), holds: ['key', 'A2', null, 'C'] },
  { act: (vault) => vault.deleteProject('p'), holds: ['key', null, null, 'C'] },
  { act: (vault) => vault.close(), holds: ['key', null, null, 'C'] },
];
export const SECOND_LIFE: readonly Step[] = [
  { act: (vault) => vault.set(tokenOf('b'), 'B'), holds: ['key', null, 'B', 'C'] },
  { act: (vault) => vault.delete(key), holds: [null, null, 'B', 'C'] },
  { act: (vault) => vault.close(), holds: [null, null, 'B', 'C'] },
];

export interface Moment {
  /** File operations that were done when it was answered. */
  readonly length: number;
  readonly holds: Held;
  readonly passphrase: string | null;
}

/** Lives two lives on a disk; answers what was promised when. */
export async function live(files: DiskFiles, first: string | null, second: string | null): Promise<Moment[]> {
  const moments: Moment[] = [{ length: 0, holds: REFS.map(() => null), passphrase: first }];
  for (const [steps, passphrase] of [
    [FIRST_LIFE, first],
    [SECOND_LIFE, second],
  ] as const) {
    // From here on it is opened with this.
    moments.push({ length: files.trace.length, holds: moments.at(-1)?.holds ?? [], passphrase });
    const vault = await open(files, passphrase);
    for (const { act, holds } of steps) {
      await act(vault);
      moments.push({ length: files.trace.length, holds, passphrase });
    }
  }
  return moments;
}
