import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SecretRef, Vault } from '#core/vault/vault.ts';

/** One place to keep secrets in: opened any number of times, one vault at a time, and cleared in the end. */
export interface VaultHome {
  open(): Promise<Vault>;
  remove(): Promise<void>;
  /** Whether a vault that is opened again has what the last one kept. */
  readonly lasting: boolean;
}

const apiKey = (id: string): SecretRef => ({ kind: 'api-key', id });
const tlsKey = (id: string): SecretRef => ({ kind: 'tls-key', id });
const token = (project_id: string, device_id: string): SecretRef => ({
  kind: 'device-token',
  project_id,
  device_id,
});

/** As long as a device token is. */
const secretOf = (i: number) => String(i).padStart(40, 'x');

/** What every vault must do; `home` makes a place of its own for each test. */
export function vaultSuite(name: string, home: () => Promise<VaultHome>): void {
  describe(`${name}: the rules of a vault`, () => {
    let place: VaultHome;
    let vault: Vault;

    beforeEach(async () => {
      place = await home();
      vault = await place.open();
    });

    afterEach(async () => {
      await vault.close();
      await place.remove();
    });

    async function reopen(): Promise<void> {
      if (!place.lasting) return;
      await vault.close();
      vault = await place.open();
    }

    const all = (refs: readonly SecretRef[]) => Promise.all(refs.map((ref) => vault.get(ref)));

    test('answers null for what it was never given', async () => {
      expect(await all([apiKey('a'), tlsKey('a'), token('p', 'd')])).toEqual([null, null, null]);
    });

    test('keeps secrets of each kind apart, also when opened again', async () => {
      const refs = [
        apiKey('same'),
        tlsKey('same'),
        token('same', 'same'),
        token('other', 'same'),
        token('same', 'other'),
      ];
      const secrets = refs.map((_, i) => `secret ${i}`);
      await Promise.all(refs.map((ref, i) => vault.set(ref, secrets[i] ?? '')));
      expect(await all(refs)).toEqual(secrets);
      await reopen();
      expect(await all(refs)).toEqual(secrets);
    });

    test('keeps them letter by letter', async () => {
      const pem = `-----BEGIN PRIVATE KEY-----\n${'MIGHAgEAMBMGByqGSM49'.repeat(12)}\n-----END PRIVATE KEY-----\n`;
      const secrets = [pem, 'Grüße 🔑 "quoted" \\ {"json": true}'];
      await vault.set(tlsKey('ca'), pem);
      await vault.set(token('p', 'd'), secrets[1] ?? '');
      await reopen();
      expect(await all([tlsKey('ca'), token('p', 'd')])).toEqual(secrets);
    });

    test('replaces a secret; of several set at once the last one stands', async () => {
      for (const ref of [apiKey('a'), token('p', 'd')]) {
        await vault.set(ref, 'old');
        await Promise.all(['new', 'newer', 'newest'].map((secret) => vault.set(ref, secret)));
        expect(await vault.get(ref)).toBe('newest');
        await reopen();
        expect(await vault.get(ref)).toBe('newest');
      }
    });

    test('deletes one secret and leaves its neighbours', async () => {
      const refs = [token('p', 'a'), token('p', 'b'), token('p', 'c'), apiKey('a'), apiKey('b')];
      for (const ref of refs) await vault.set(ref, 'secret');
      await vault.delete(token('p', 'b'));
      await vault.delete(apiKey('a'));
      const left = ['secret', null, 'secret', null, 'secret'];
      expect(await all(refs)).toEqual(left);
      await reopen();
      expect(await all(refs)).toEqual(left);
    });

    test('reads what is kept as the next start finds it', async () => {
      const refs = [apiKey('a'), token('p', 'a'), token('q', 'b'), tlsKey('a')];
      await Promise.all(refs.slice(0, 3).map((ref, i) => vault.set(ref, secretOf(i))));
      await vault.set(apiKey('a'), 'newest');
      await vault.delete(token('q', 'b'));
      expect(await vault.readKept(refs)).toEqual(['newest', secretOf(1), null, null]);
    });

    test('finds nothing wrong with deleting what is not there', async () => {
      await Promise.all([vault.delete(apiKey('a')), vault.delete(token('p', 'd')), vault.deleteProject('p')]);
      await vault.set(token('p', 'd'), 'secret');
      await vault.delete(token('p', 'd'));
      await vault.delete(token('p', 'd'));
      expect(await vault.get(token('p', 'd'))).toBeNull();
    });

    test('deletes the tokens of a project and of no other', async () => {
      const gone = Array.from({ length: 70 }, (_, i) => token('project-1', `device ${i}`));
      const kept = [token('project-10', 'device 1'), token('project', 'device 1'), apiKey('project-1')];
      await Promise.all([...gone, ...kept].map((ref) => vault.set(ref, 'secret')));
      await vault.deleteProject('project-1');
      await reopen();
      expect(await all(kept)).toEqual(kept.map(() => 'secret'));
      expect(await all(gone)).toEqual(gone.map(() => null));
    });

    test('follows the order of calls that wait together', async () => {
      await Promise.all([
        vault.set(token('p', 'before'), 'secret'),
        vault.deleteProject('p'),
        vault.set(token('p', 'after'), 'secret'),
        vault.set(token('p', 'brief'), 'secret'),
        vault.delete(token('p', 'brief')),
      ]);
      const refs = [token('p', 'before'), token('p', 'after'), token('p', 'brief')];
      expect(await all(refs)).toEqual([null, 'secret', null]);
      await reopen();
      expect(await all(refs)).toEqual([null, 'secret', null]);
    });

    test('keeps hundreds of tokens that come, change and go at once', async () => {
      const refs = Array.from({ length: 200 }, () => token('p', crypto.randomUUID()));
      await Promise.all(refs.map((ref, i) => vault.set(ref, secretOf(i))));
      await Promise.all(
        refs.map((ref, i) =>
          i % 3 === 0 ? vault.delete(ref) : vault.set(ref, secretOf(i % 3 === 1 ? i : i + 1000)),
        ),
      );
      await reopen();
      const expected = refs.map((_, i) => (i % 3 === 0 ? null : secretOf(i % 3 === 1 ? i : i + 1000)));
      expect(await all(refs)).toEqual(expected);
    });

    test('has kept what waited once it is closed', async () => {
      const kept = vault.set(token('p', 'd'), 'secret');
      await vault.close();
      await kept;
      if (place.lasting) vault = await place.open();
      expect(await vault.get(token('p', 'd'))).toBe('secret');
    });
  });
}
