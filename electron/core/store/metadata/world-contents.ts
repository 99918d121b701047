import { TABLE_NAMES, type MetadataState, type TableName } from './metadata-schema.ts';

/*
 * What a world (an account) and its installation hold, and what a snapshot, a backup, a push and an undo take along of it. The four
 * take from here which tables they carry; the pages that describe them have the rest in a table each, which a test holds to
 * this list. A table that is not in it does not compile.
 */

/** What takes along what a world holds. */
export const CARRIERS = ['snapshot', 'backup', 'push', 'undo'] as const;
export type Carrier = (typeof CARRIERS)[number];

/** What is held, and of each carrier whether it takes that along: true, or why not, as the pages say it. */
export interface Content extends Readonly<Record<Carrier, true | string>> {
  readonly what: string;
}

const OF_HERE = 'of the installation, not of the account';
const NO_DELETE = 'nothing deletes them';
const IN_MEMORY = 'in memory, and gone with the service';
const OF_NOW = 'work of this moment';
const OF_CLIENTS = 'of clients of this service';

const TABLES = {
  accounts: {
    what: 'the account itself',
    snapshot: 'its id and its name stay as they are',
    backup: true,
    push: 'what is pushed comes into the account of the API key of the lab',
    undo: 'an account is removed for good',
  },
  projects: { what: 'projects', snapshot: true, backup: true, push: true, undo: true },
  devices: { what: 'devices', snapshot: true, backup: true, push: true, undo: true },
  api_keys: {
    what: 'API keys',
    snapshot: true,
    backup: true,
    push: 'the lab gives out its own',
    undo: 'a key that is revoked is void for good',
  },
  functions: { what: 'functions', snapshot: true, backup: true, push: true, undo: true },
  widgets: { what: 'widgets', snapshot: true, backup: true, push: true, undo: true },
  key_settings: { what: 'settings of keys', snapshot: true, backup: true, push: true, undo: true },
  notes: { what: 'notes', snapshot: true, backup: true, push: true, undo: true },
  alarms: { what: 'alarms', snapshot: true, backup: true, push: true, undo: true },
  corrections: { what: 'corrections', snapshot: true, backup: true, push: true, undo: true },
  correction_history: {
    what: 'the history of corrections',
    snapshot: true,
    backup: true,
    push: true,
    undo: true,
  },
  views: {
    what: 'saved views',
    snapshot: true,
    backup: true,
    push: 'addresses of the app here',
    undo: 'a view is only an address; its delete is final',
  },
  kept_deletes: {
    what: 'what was deleted and can be undone',
    snapshot: true,
    backup: 'a backup has what is there',
    push: 'a push removes nothing in the lab, and sends what is there',
    undo: 'what was discarded is gone for good',
  },
  preferences: {
    what: 'settings of the installation',
    snapshot: OF_HERE,
    backup: OF_HERE,
    push: OF_HERE,
    undo: NO_DELETE,
  },
} as const satisfies Record<TableName, Content>;

/** Of the metadata beside its tables; `next_sequence` only counts. */
const HEADER = {
  settings: {
    what: 'the id of the installation, and which account is the default one',
    snapshot: OF_HERE,
    backup: 'the default account of the backup becomes that of the installation',
    push: OF_HERE,
    undo: NO_DELETE,
  },
  deletions: {
    what: 'deletes for good that are under way',
    snapshot: 'a restore waits for them, and brings back what the snapshot has',
    backup: 'what is being deleted is not there any more',
    push: 'what is being deleted is not there any more',
    undo: 'they are for good',
  },
  trail: {
    what: 'the audit trail',
    snapshot: 'what was changed was changed, whatever is restored; a restore adds to it',
    backup: true,
    push: 'each side tells of what was changed there',
    undo: NO_DELETE,
  },
} as const satisfies Record<Exclude<keyof MetadataState, 'rows' | 'next_sequence'>, Content>;

const BESIDE = {
  records: {
    what: 'records, with the times of their receipt',
    snapshot: true,
    backup: true,
    push: true,
    undo: true,
  },
  state: {
    what: '`last_seen` and the time of the last purge',
    snapshot: true,
    backup: true,
    push: 'a push is no sign of life, and removes nothing in the lab',
    undo: true,
  },
  receipts: {
    what: 'idempotency records',
    snapshot: true,
    backup: true,
    push: 'a request is repeated to the service that it was for',
    undo: true,
  },
  secrets: {
    what: 'secrets',
    snapshot: true,
    backup:
      'tokens and API keys go on working by their hashes, and are not shown any more, unless a passphrase is given',
    push: 'the lab gets the hash of a token, by which the device stores there; nobody reads the token there',
    undo: true,
  },
  mqtt_sessions: {
    what: 'sessions of MQTT clients and retained messages',
    snapshot: 'clients are connected or away whatever is restored',
    backup: OF_CLIENTS,
    push: OF_CLIENTS,
    undo: true,
  },
  snapshots: {
    what: 'snapshots',
    snapshot: 'a restore leaves all of them, also later ones',
    backup: 'a backup has what is there now',
    push: 'a push sends what is there now',
    undo: 'one that is removed is gone for good',
  },
  simulators: {
    what: 'simulators',
    snapshot: 'a restore ends all of the account, which would go on storing into what was restored',
    backup: IN_MEMORY,
    push: IN_MEMORY,
    undo: 'they end with their device',
  },
  faults: {
    what: 'faults',
    snapshot: 'they stay as they are, being no data',
    backup: IN_MEMORY,
    push: IN_MEMORY,
    undo: 'they are set again',
  },
  uploads: {
    what: 'uploads for replays',
    snapshot: 'they stay as they are',
    backup: IN_MEMORY,
    push: IN_MEMORY,
    undo: 'one that is deleted is sent again',
  },
  requests: {
    what: 'the last requests',
    snapshot: 'what was asked was asked, whatever is restored',
    backup: IN_MEMORY,
    push: IN_MEMORY,
    undo: 'those of a deleted device are forgotten',
  },
  jobs: {
    what: 'jobs',
    snapshot: OF_NOW,
    backup: OF_NOW,
    push: OF_NOW,
    undo: NO_DELETE,
  },
  key_use: {
    what: 'times at which API keys were used',
    snapshot: 'a key was used, whatever is restored',
    backup: OF_HERE,
    push: 'the keys stay here',
    undo: 'they go with their keys',
  },
  drawn: {
    what: 'counters of chance with a seed',
    snapshot: 'they go on, so that nothing is drawn twice',
    backup: 'a service draws around what it restores',
    push: 'each service draws for itself',
    undo: NO_DELETE,
  },
  sync_baselines: {
    what: 'agreements with labs by a push',
    snapshot: OF_HERE,
    backup: 'another installation has agreed nothing; its next push compares anew',
    push: 'this side alone keeps them',
    undo: NO_DELETE,
  },
  other_services: {
    what: 'services elsewhere and their keys',
    snapshot: OF_HERE,
    backup: 'whom this machine trusts is decided on each machine',
    push: OF_HERE,
    undo: 'one that is removed is added again',
  },
  console_sessions: {
    what: 'browsers that were let in',
    snapshot: OF_HERE,
    backup: 'whom this machine trusts is decided on each machine',
    push: OF_HERE,
    undo: 'one that is shut out opens the console again',
  },
  doors: {
    what: 'certificates and the choice of doors',
    snapshot: OF_HERE,
    backup: 'of this machine and its network',
    push: OF_HERE,
    undo: NO_DELETE,
  },
  signing_key: {
    what: 'the key that signs what is handed over',
    snapshot: OF_HERE,
    backup: 'another installation signs with a key of its own',
    push: OF_HERE,
    undo: NO_DELETE,
  },
  mail_password: {
    what: 'the password for the mail server',
    snapshot: OF_HERE,
    backup: 'another installation sends by a server of its own',
    push: OF_HERE,
    undo: NO_DELETE,
  },
  checks: {
    what: 'results of checks',
    snapshot: OF_HERE,
    backup: 'about the files of this installation',
    push: OF_HERE,
    undo: NO_DELETE,
  },
} as const satisfies Readonly<Record<string, Content>>;

/** All that is held, by name. */
export const WORLD_CONTENTS = { ...TABLES, ...HEADER, ...BESIDE };
export type ContentName = keyof typeof WORLD_CONTENTS;

/** The tables whose rows a carrier takes along. */
export type CarriedTable<By extends Carrier> = {
  [Name in TableName]: (typeof TABLES)[Name][By] extends true ? Name : never;
}[TableName];

/** Returns them, in the order of the tables. */
export const carriedTables = <By extends Carrier>(by: By): readonly CarriedTable<By>[] =>
  TABLE_NAMES.filter((name) => TABLES[name][by] === true) as CarriedTable<By>[];

/** Returns what a carrier leaves out, and why. */
export function leftOutBy(
  by: Carrier,
): { readonly name: ContentName; readonly what: string; readonly why: string }[] {
  const names = Object.keys(WORLD_CONTENTS) as ContentName[];
  return names.flatMap((name) => {
    const { what, [by]: why }: Content = WORLD_CONTENTS[name];
    return why === true ? [] : [{ name, what, why }];
  });
}
