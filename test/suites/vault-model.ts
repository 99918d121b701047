import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SecretRef, Vault } from '#core/vault/vault.ts';

/** A place for a vault that may be left in any way: closed in order, or not. */
export interface VaultPlace {
  readonly open: () => Promise<Vault>;
  /** Opens what a crash leaves once everything asked for was answered; null where a vault lasts no longer than its process. */
  readonly afterCrash: (() => Promise<Vault>) | null;
}

const REFS: readonly SecretRef[] = [
  ...['a', 'b'].map((id) => ({ kind: 'api-key', id }) as const),
  { kind: 'tls-key', id: 'a' },
  ...['p', 'p1', 'p/1'].flatMap((project_id) =>
    ['a', 'b', 'c'].map((device_id) => ({ kind: 'device-token', project_id, device_id }) as const),
  ),
];

const ref = fc.constantFrom(...REFS);
const change = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ ref, secret: fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }) }),
  },
  { weight: 2, arbitrary: fc.record({ ref, secret: fc.constant(null) }) },
  { weight: 1, arbitrary: fc.record({ allTokensOf: fc.constantFrom('p', 'p1', 'p/1') }) },
);
/** Changes that are asked for at once, and what comes then. */
const step = fc.record({
  changes: fc.array(change, { maxLength: 6 }),
  next: fc.constantFrom('goes on', 'goes on', 'restarts', 'crashes'),
});

/** Random changes, restarts and crashes: after each the vault holds what a Map does. */
export function vaultModelSuite(name: string, place: () => Promise<VaultPlace>, numRuns = 60): void {
  test(`${name}: holds what a map of the same changes holds, through restarts and crashes`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        const { open, afterCrash } = await place();
        const model = new Map<SecretRef, string>();
        let vault = await open();
        for (const { changes, next } of steps) {
          await Promise.all(
            changes.map((one) => {
              if ('allTokensOf' in one) return vault.deleteProject(one.allTokensOf);
              return one.secret === null ? vault.delete(one.ref) : vault.set(one.ref, one.secret);
            }),
          );
          for (const one of changes) applyTo(model, one);
          if (afterCrash && next === 'crashes') vault = await afterCrash();
          if (afterCrash && next === 'restarts') {
            await vault.close();
            vault = await open();
          }
          for (const one of REFS)
            expect(await vault.get(one), JSON.stringify(one)).toBe(model.get(one) ?? null);
        }
        await vault.close();
      }),
      { numRuns },
    );
  });
}

function applyTo(
  model: Map<SecretRef, string>,
  one: { ref: SecretRef; secret: string | null } | { allTokensOf: string },
): void {
  if ('allTokensOf' in one) {
    for (const kept of model.keys())
      if (kept.kind === 'device-token' && kept.project_id === one.allTokensOf) model.delete(kept);
  } else if (one.secret === null) model.delete(one.ref);
  else model.set(one.ref, one.secret);
}
