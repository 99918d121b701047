/**
 * The floors of electron/core, the highest first: an import goes down or stays on its floor. Every room is on one, and
 * nothing lies loose (test/unit/walls.test.ts). `name` and `comment`: of the wall that keeps those below from it.
 *
 * @type {readonly { readonly rooms: readonly string[], readonly name?: string, readonly comment?: string }[]}
 */
const FLOORS = [
  {
    rooms: ['cli'],
    name: 'command-line-on-top',
    comment: 'What the command line shares with the service is a room below both.',
  },
  {
    rooms: ['service'],
    name: 'one-composition',
    comment: 'Only cli/ and the shell start a service. Take what is needed as an argument.',
  },
  {
    rooms: ['http', 'mqtt', 'bridge', 'control'],
    name: 'doors-on-top',
    comment:
      'A door turns a call into api.dispatch or ingest. Pass in what is needed, or move what both need down.',
  },
  {
    rooms: ['api'],
    name: 'operations-above-records',
    comment: 'Records in and out know no operation, caller or envelope. Take what is needed as an argument.',
  },
  {
    rooms: [
      'push',
      'lab',
      'folder',
      'backup',
      'handover',
      'import',
      'export',
      'survey',
      'sync',
      'ingest',
      'functions',
      'rules',
      'acts',
      'requests',
      'faults',
      'simulate',
      'remote',
    ],
    name: 'records-above-stores',
    comment:
      'A store or vault knows neither files nor jobs that ask it. Let them use store/store.ts or vault/vault.ts.',
  },
  {
    rooms: ['backend'],
    name: 'backend-above-stores',
    comment: 'A store does not know what it is kept beside. Pass in the part that is needed.',
  },
  {
    rooms: ['store', 'vault', 'work'],
    name: 'stores-above-ground',
    comment: 'Threads, files and certificates serve any store. Take an interface of your own, or bytes.',
  },
  {
    rooms: ['threads', 'turns', 'disk', 'tls', 'net', 'page'],
    name: 'ground-above-base',
    comment: 'base/ is what every room may import. It imports shared/ alone.',
  },
  { rooms: ['base'] },
];

module.exports = { FLOORS };
