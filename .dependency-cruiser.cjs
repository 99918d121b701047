/*
 * The walls of the house (docs/architecture.md): shared ← core ← shell and shared ← renderer; inside core, floors of
 * rooms. An import goes down or stays on its floor, never up. Each message names the replacement.
 */

const { FLOORS } = require('./scripts/lib/floors.cjs');

const roomsOf = (floors) => floors.flatMap(({ rooms }) => rooms).join('|');
const floorRules = FLOORS.slice(0, -1).map(({ rooms, name, comment }, n) => ({
  name,
  comment,
  severity: 'error',
  from: { path: `^electron/core/(${roomsOf(FLOORS.slice(n + 1))})/` },
  to: { path: `^electron/core/(${rooms.join('|')})/` },
}));
module.exports = {
  forbidden: [
    {
      name: 'shared-imports-zod-only',
      comment:
        'shared/ is what both sides say, and pure-rand what both sides draw. Move code that needs more into electron/core or renderer.',
      severity: 'error',
      from: { path: '^shared/' },
      to: { pathNot: ['^shared/', 'node_modules/zod/', 'node_modules/pure-rand/'] },
    },
    {
      name: 'core-without-electron',
      comment:
        'electron/core runs without a window. Pass what it needs in through Config (core/base/config.ts).',
      severity: 'error',
      from: { path: '^electron/core/' },
      to: { path: ['^electron/(shell/|[^/]+\\.ts$)', '^renderer/', '^electron$', 'node_modules/electron/'] },
    },
    {
      name: 'renderer-knows-only-the-bridge',
      comment: 'The renderer reaches the service through shared/bridge/bridge.ts alone.',
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
      // Two may: what a process does in one go at its very start (cli/serve/configure: where the build lies) and in its
      // 'exit' (cli/serve/ready-file), where nothing can be awaited. Neither touches the data folder.
      name: 'files-through-the-disk-room',
      comment:
        'Use core/disk: whole-file.ts and atomic-file.ts for whole files, files.ts for the rest. Tests can make it fail.',
      severity: 'error',
      from: {
        path: '^electron/core/',
        pathNot: '^electron/core/(disk/|cli/(folders/portable|serve/(configure|ready-file))\\.ts$)',
      },
      to: { path: '^(node:)?fs' },
    },
    {
      name: 'http-without-undici',
      comment:
        'Importing node:http loads undici, which nothing here needs. Use core/net/node-http.ts; types are free.',
      severity: 'error',
      from: { path: '^electron/' },
      to: { path: '^(node:)?http$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-system-clock',
      comment: 'Take a Clock (core/base/clock.ts) as an argument: service/ and cli/ hand it in.',
      severity: 'error',
      from: { path: '^electron/core/', pathNot: '^electron/core/(service|cli)/' },
      to: { path: '^electron/core/base/system-clock\\.ts$' },
    },
    {
      // api/answer-to.ts: ids of failures, by which the log is searched, over all starts.
      name: 'chance-handed-in',
      comment:
        'Ids and secrets that the service gives out come from a Chance (core/base/chance.ts), which a seed can repeat.',
      severity: 'error',
      from: {
        path: '^electron/core/',
        pathNot: '^electron/core/((base|disk|tls|store|vault|backend|lab|service|cli)/|api/answer-to\\.ts$)',
      },
      to: { path: '^electron/core/base/system-random\\.ts$' },
    },
    ...floorRules,
    {
      name: 'backends-opened-by-the-service',
      comment: 'A service runs on a Backend, whichever it is. Ask for the part of backend/ that is needed.',
      severity: 'error',
      from: { path: '^electron/', pathNot: '^electron/core/(service|cli|lab|folder)/' },
      to: { path: '^electron/core/(lab|folder)/' },
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
      to: { path: '^electron/core/store/log/' },
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
      to: { path: '^(test|bench|scripts|packaging)/' },
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
