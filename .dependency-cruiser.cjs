/*
 * The walls of the house (docs/architecture.md): shared ← core ← shell and shared ← renderer; inside core, floors of
 * rooms. An import goes down or stays on its floor, never up. Each message names the replacement.
 */

/** The rooms of core, the highest floor first. What lies loose in core/ is either the composition or everyone's ground. */
const FLOORS = [
  ['cli', 'http', 'mqtt', 'bridge', 'control'],
  ['api'],
  ['import', 'export', 'survey', 'sync', 'push', 'work', 'ingest', 'requests', 'remote'],
  ['store', 'vault'],
  ['threads', 'turns', 'disk', 'tls', 'net', 'page'],
];
const below = (floor) =>
  `^electron/core/(${FLOORS.slice(floor + 1)
    .flat()
    .join('|')})/`;
const floor = (n) => `^electron/core/(${FLOORS[n].join('|')})/`;
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
        path: [
          '^electron/',
          '^electron$',
          'node_modules/electron/',
          'node_modules/(fastify|keytar|lowdb|pg)/',
        ],
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
      name: 'one-pg-import',
      comment:
        'Ask the Database of core/store/postgres/connection/connections.ts, which bounds, retries and settles.',
      severity: 'error',
      from: { pathNot: '^electron/core/store/postgres/connection/link\\.ts$' },
      to: { path: 'node_modules/(@types/)?pg/' },
    },
    {
      // Two may: what a process does in one go at its very start (cli/configure: where the build lies) and in its
      // 'exit' (cli/ready-file), where nothing can be awaited. Neither touches the data folder.
      name: 'files-through-the-disk-room',
      comment:
        'Use core/disk: whole-file.ts and atomic-file.ts for whole files, files.ts for the rest. Tests can make it fail.',
      severity: 'error',
      from: {
        path: '^electron/core/',
        pathNot: '^electron/core/(disk/|cli/(configure|ready-file)\\.ts$)',
      },
      to: { path: '^(node:)?fs' },
    },
    {
      name: 'doors-on-top',
      comment:
        'A door turns a call into api.dispatch or ingest. Pass in what is needed, or move what both need down.',
      severity: 'error',
      from: { path: below(0) },
      to: { path: floor(0) },
    },
    {
      name: 'operations-above-records',
      comment:
        'Records in and out know no operation, caller or envelope. Take what is needed as an argument.',
      severity: 'error',
      from: { path: below(1) },
      to: { path: floor(1) },
    },
    {
      name: 'records-above-stores',
      comment:
        'A store or vault knows neither files nor jobs that ask it. Let them use store/store.ts or vault/vault.ts.',
      severity: 'error',
      from: { path: below(2) },
      to: { path: floor(2) },
    },
    {
      name: 'stores-above-ground',
      comment: 'Threads, files and certificates serve any store. Take an interface of your own, or bytes.',
      severity: 'error',
      from: { path: below(3) },
      to: { path: floor(3) },
    },
    {
      name: 'one-composition',
      comment: 'Only cli/ and the shell start a service. Take what is needed as an argument.',
      severity: 'error',
      from: { path: [below(0), '^electron/core/(http|mqtt|bridge|control)/'] },
      to: { path: '^electron/core/(service|worker)\\.ts$' },
    },
    {
      name: 'bridge-without-http',
      comment: 'A session runs over any post and receive. Let http/console open it.',
      severity: 'error',
      from: { path: '^electron/core/bridge/' },
      to: { path: '^electron/core/(http|cli)/' },
    },
    {
      name: 'blocks-without-files',
      comment:
        'store/blocks runs over blocks from anywhere. Give it bytes; files, logs and folders are store/log.',
      severity: 'error',
      from: { path: '^electron/core/store/blocks/' },
      to: {
        path: [
          '^electron/core/store/(?!blocks/|[^/]+\\.ts$)',
          '^electron/core/(disk|threads)/',
          '^(node:)?fs',
        ],
      },
    },
    {
      name: 'database-without-files',
      comment:
        'What lies in a database has no log, segment file or folder. What both stores need is store/blocks.',
      severity: 'error',
      from: { path: '^electron/core/store/postgres/' },
      to: { path: '^electron/core/store/(log|plain-log)/' },
    },
    {
      name: 'codec-at-the-bottom',
      comment: 'A codec knows numbers and bytes alone. Blocks and queries use it.',
      severity: 'error',
      from: { path: '^electron/core/store/blocks/codec/' },
      to: { path: '^electron/core/store/blocks/(?!codec/)' },
    },
    {
      name: 'blocks-below-queries',
      comment: 'A block knows its rows. What spans blocks is blocks/query or blocks/series.',
      severity: 'error',
      from: { path: '^electron/core/store/blocks/block/' },
      to: { path: '^electron/core/store/blocks/(query|series)/' },
    },
    {
      name: 'segments-below-devices',
      comment: 'A segment or the write-ahead log knows nothing of devices. Devices use them.',
      severity: 'error',
      from: { path: '^electron/core/store/log/(segment|wal)/' },
      to: { path: '^electron/core/store/log/(device/|check/|[^/]+\\.ts$)' },
    },
    {
      name: 'devices-below-the-log',
      comment:
        'A device is one of many; what concerns all of them is log-store.ts, checkpoint.ts or recovery.ts.',
      severity: 'error',
      from: { path: '^electron/core/store/log/device/' },
      to: { path: '^electron/core/store/log/(check/|[^/]+\\.ts$)' },
    },
    {
      name: 'renderer-bridge-below-stores',
      comment: 'The bridge brings data; stores hold it. Let the store subscribe.',
      severity: 'error',
      from: { path: '^renderer/bridge/' },
      to: { path: '^renderer/(?!bridge/)' },
    },
    {
      name: 'no-circle-of-rooms',
      comment: 'Two rooms that need each other are one room, or a third is missing below both.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(electron/core|renderer|shared)/.' },
      to: { circular: true },
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
