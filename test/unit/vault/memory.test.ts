import { createMemoryVault } from '#core/vault/memory.ts';
import { vaultModelSuite } from '../../suites/vault-model.ts';
import { vaultSuite } from '../../suites/vault.ts';

vaultModelSuite('memory', () =>
  Promise.resolve({ open: () => Promise.resolve(createMemoryVault()), afterCrash: null }),
);

vaultSuite('memory', () =>
  Promise.resolve({
    open: () => Promise.resolve(createMemoryVault()),
    remove: () => Promise.resolve(),
    lasting: false,
  }),
);
