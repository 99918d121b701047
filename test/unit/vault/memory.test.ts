import { openVault } from '#core/vault/open-vault.ts';
import { vaultSuite } from '../../suites/vault.ts';

vaultSuite('memory', () =>
  Promise.resolve({
    open: () => openVault({ kind: 'memory', directory: '', passphrase: null, installationId: 'unused' }),
    remove: () => Promise.resolve(),
    lasting: false,
  }),
);
