/** The walls of the design: shared ← core ← shell, and shared ← renderer. Each message names the replacement. */
module.exports = {
  forbidden: [
    {
      name: 'shared-imports-zod-only',
      comment: 'shared/ is what both sides say. Move code that needs more into electron/core or renderer.',
      severity: 'error',
      from: { path: '^shared/' },
      to: { pathNot: ['^shared/', 'node_modules/zod/'] },
    },
    {
      name: 'core-without-electron',
      comment: 'electron/core runs without a window. Pass what it needs in through Config (core/config.ts).',
      severity: 'error',
      from: { path: '^electron/core/' },
      to: { path: ['^electron/(shell/|[^/]+\\.ts$)', '^renderer/', '^electron$', 'node_modules/electron/'] },
    },
    {
      name: 'renderer-knows-only-the-bridge',
      comment: 'The renderer reaches the service through shared/bridge.ts alone.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: {
        path: ['^electron/', '^electron$', 'node_modules/electron/', 'node_modules/(fastify|keytar|lowdb)/'],
      },
    },
    {
      name: 'renderer-without-node',
      comment: 'The renderer runs in a sandbox. Ask for an operation in shared/operations instead.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'one-keytar-import',
      comment: 'Use the Vault of core/vault/vault.ts; only core/vault/keychain.ts knows keytar.',
      severity: 'error',
      from: { pathNot: '^electron/core/vault/keychain\\.ts$' },
      to: { path: 'node_modules/keytar/' },
    },
    {
      name: 'one-lowdb-import',
      comment: 'Use core/store/metadata/metadata.ts, which makes lowdb safe.',
      severity: 'error',
      from: { pathNot: '^electron/core/store/metadata/' },
      to: { path: 'node_modules/lowdb/' },
    },
    {
      name: 'log-files-through-the-file-layer',
      comment: 'Use core/disk/files.ts, which tests can make fail.',
      severity: 'error',
      from: { path: '^electron/core/store/(log|blocks)/' },
      to: { path: '^(node:)?fs' },
    },
    {
      name: 'no-circular',
      comment: 'Extract what both need.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-to-test',
      comment: 'Product code never imports tests.',
      severity: 'error',
      from: { path: '^(shared|electron|renderer)/' },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'resolvable',
      comment: 'The import resolves to nothing.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // TypeScript 7 has no API for it yet; swc reads the same imports.
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
