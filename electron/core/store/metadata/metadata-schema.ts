import { z } from 'zod';
import { storedJsonObject } from '#shared/values/json-object.ts';
import { KEY_AXES, KEY_DASHES } from '#shared/domain/key-looks.ts';
import { KEPT_KINDS } from '#shared/domain/kept-kinds.ts';
import { SOURCES } from '#shared/domain/sources.ts';
import { MAIL_SECURITY } from '#shared/operations/service/settings.ts';
import { PERMISSIONS } from '#shared/schema/schemas.ts';
import type { Micros } from '#shared/values/time.ts';
import { newAccountId, type Chances } from '../../base/chance.ts';
import { systemRandom } from '../../base/system-random.ts';
import { NO_LINES, type Head } from '../trail/chain.ts';
import { alarmRow, toldRule } from './alarm-rows.ts';
import type { AnyRow } from './any-row.ts';
import { functionRow } from './function-rows.ts';
import { widgetRow } from './widget-row.ts';
import { correctionRow, formerVersionRow } from './correction-rows.ts';

/*
 * What metadata.json and its journal hold, field by field. Small things only: what changes with every record (last_seen,
 * counts) is derived from the log. Any change of shape is a new SCHEMA_VERSION and a step in migrations.ts.
 */

export const SCHEMA_VERSION = 5;

const id = z.string().min(1);
const micros = z.int();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');
/** When a thing was made, and its place among those made in the same microsecond. */
const made = { created: micros, sequence: z.int() };

const account = z.object({ id, name: z.string(), ...made });

const project = z.object({
  id,
  account_id: id,
  name: z.string(),
  description: z.string(),
  /** Whether it asks for a reason when data are changed; absent: no. */
  reason_required: z.boolean().optional(),
  ...made,
});

const device = z.object({
  id,
  project_id: id,
  name: z.string(),
  description: z.string(),
  source: z.enum(SOURCES),
  tags: z.array(z.string()),
  brand: z.string(),
  model: z.string(),
  /** The image's URL where a device has its own; null for the default one. */
  avatar: z.string().nullable(),
  metadata: storedJsonObject,
  /** Interval at which it stores, in seconds; null where unknown. */
  interval_s: z.number().positive().nullable().default(null),
  token_hash: sha256,
  /** Whether a function of it decodes what it sends; absent: no. */
  decodes: z.boolean().optional(),
  /** By when records of it were last removed so that they could be had back; of a purge for good the records' store knows. */
  records_removed: micros.optional(),
  /** Until when rules were judged on it by another service, which did their acts; absent: by none. */
  told: z.array(toldRule).optional(),
  ...made,
});

const apiKey = z.object({
  id,
  account_id: id,
  name: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
  /** The projects it may touch; null for all of its account. */
  project_ids: z.array(id).nullable(),
  expires: micros.nullable(),
  /** As text, where µs cannot say it exactly; `expires` is the last instant then that they can. */
  expires_at: z.string().optional(),
  hash: sha256,
  /** `service`: the key of the ready file and the app's own window; people neither see nor revoke it. */
  role: z.enum(['service', 'user']),
  ...made,
});

/** How a key of a device is shown. A key has one row at most: its id is `keySettingsId`. */
const keySettings = z.object({
  id,
  project_id: id,
  device_id: id,
  key: z.string(),
  shown_as: z.string(),
  unit: z.string(),
  decimals: z.int().nullable(),
  colour: z.int().nullable(),
  dash: z.enum(KEY_DASHES).nullable(),
  axis: z.enum(KEY_AXES).nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  longest_gap_s: z.number().nullable(),
  ...made,
});

/** Note on an instant or a span of a device. */
const note = z.object({
  id,
  project_id: id,
  device_id: id,
  start: micros,
  end: micros.nullable(),
  text: z.string(),
  author: z.string(),
  ...made,
});

/** A name for an address of the app. */
const view = z.object({ id, account_id: id, name: z.string(), address: z.string(), ...made });

/** Rows of other tables as they were, by table; the tables' own schemas hold again where they come back. */
const formerRows = z.record(z.string(), z.array(z.looseObject({ id, sequence: z.int() })));

/** A delete that can be undone: what it took out of the tables is here, records stay in the record store. */
const keptDelete = z.object({
  id,
  account_id: id,
  project_id: id,
  /** Absent where a whole project was deleted. */
  device_id: id.optional(),
  kind: z.enum(KEPT_KINDS),
  /** `kept`, or what was begun and is finished, or begun again, by the next start. */
  state: z.enum(['keeping', 'kept', 'restoring', 'discarding']),
  /** Of records of a backup that are being restored in place of what is there: the id of the delete by which that can be had back. */
  replaces: id.optional(),
  /** Of the project or device, and of the device's project, as they were. */
  name: z.string(),
  project_name: z.string(),
  /** The name of the API key that deleted it, or "app". */
  author: z.string(),
  /** When it is removed for good. */
  until: micros,
  /** Of a range. */
  start: micros.nullable(),
  end: micros.nullable(),
  /** Null until it is known. */
  records: z.int().nullable(),
  bytes: z.int().nullable(),
  rows: formerRows,
  /** Widgets that stayed and lost a source, with the sources that they had. */
  trimmed: z.array(z.object({ id, sources: z.array(z.object({ device_id: id, key: z.string() })) })),
  ...made,
});

/** Settings of the installation; one row at most. */
const preferences = z.object({
  id: z.literal('installation'),
  keep_days: z.int(),
  keep_v2_deletes: z.boolean(),
  /** Names and networks that webhooks may reach; absent: none beside what they reach anyway. */
  webhook_hosts: z.array(z.string()).optional(),
  /** The mail server; null or absent: none. */
  mail: z
    .object({
      host: z.string(),
      port: z.int(),
      security: z.enum(MAIL_SECURITY),
      from: z.string(),
      user: z.string(),
    })
    .nullable()
    .optional(),
  sequence: z.int(),
});

/**
 * A delete whose logs and secrets are not all gone yet; a start after a crash finishes it. `token`: of a device that moves,
 * whose token is to be in its own project alone. `snapshot`: a restore that is decided; `project_id` is the snapshot's id, and
 * `device_ids` the mark of the restore, none once the records are back.
 */
export const deletion = z.object({
  kind: z.enum(['project', 'device', 'token', 'snapshot']),
  project_id: id,
  device_ids: z.array(id),
});

const settings = z.object({
  /** Names this data folder's entries in the OS keychain. */
  installation_id: id,
  default_account_id: id,
});

/** The tables, by id. */
export const tables = {
  accounts: account,
  projects: project,
  devices: device,
  api_keys: apiKey,
  functions: functionRow,
  widgets: widgetRow,
  key_settings: keySettings,
  notes: note,
  alarms: alarmRow,
  corrections: correctionRow,
  correction_history: formerVersionRow,
  views: view,
  kept_deletes: keptDelete,
  preferences,
} as const;
export type TableName = keyof typeof tables;
export const TABLE_NAMES = Object.keys(tables) as TableName[];

/** Metadata without the tables. */
export const header = z.object({
  version: z.literal(SCHEMA_VERSION),
  /** Names this writing of the file, so that a journal can say which one it continues. */
  generation: z.string().regex(/^\d{1,15}-[0-9a-f]{8}$/),
  settings,
  /** The `sequence` of the next thing made. */
  next_sequence: z.int().min(1),
  deletions: z.array(deletion),
  /** The last line of the audit trail; none in a file from before there was one. */
  trail: z.object({ n: z.int().min(0), hash: sha256 }).default(NO_LINES),
});

type Written<Name extends TableName> = z.infer<(typeof tables)[Name]>;

/** One thing as read. JSON values keep their type, which recurses too deeply to map; they are frozen all the same. */
type Stored<T> = { readonly [K in keyof T]: T[K] extends (infer E)[] ? readonly Readonly<E>[] : T[K] };

interface Rows {
  readonly accounts: Stored<Written<'accounts'>>;
  readonly projects: Stored<Written<'projects'>>;
  readonly devices: Stored<Written<'devices'>>;
  readonly api_keys: Stored<Written<'api_keys'>>;
  readonly functions: Stored<Written<'functions'>>;
  readonly widgets: Stored<Written<'widgets'>>;
  readonly key_settings: Stored<Written<'key_settings'>>;
  readonly notes: Stored<Written<'notes'>>;
  readonly alarms: Stored<Written<'alarms'>>;
  readonly corrections: Stored<Written<'corrections'>>;
  readonly correction_history: Stored<Written<'correction_history'>>;
  readonly views: Stored<Written<'views'>>;
  readonly kept_deletes: Stored<Written<'kept_deletes'>>;
  readonly preferences: Stored<Written<'preferences'>>;
}
/** A row of a table: readonly, and frozen. */
export type Row<Name extends TableName> = Rows[Name];

export type StoredAccount = Row<'accounts'>;
export type StoredProject = Row<'projects'>;
export type StoredDevice = Row<'devices'>;
export type StoredKey = Row<'api_keys'>;
export type StoredFunction = Row<'functions'>;
export type StoredWidget = Row<'widgets'>;
export type StoredKeySettings = Row<'key_settings'>;
export type StoredNote = Row<'notes'>;
export type StoredAlarm = Row<'alarms'>;
export type StoredCorrection = Row<'corrections'>;
export type FormerVersion = Row<'correction_history'>;
export type StoredView = Row<'views'>;
export type KeptDelete = Row<'kept_deletes'>;
export type PendingDeletion = Stored<z.infer<typeof deletion>>;
export type Settings = Readonly<z.infer<typeof settings>>;

/** The id of the settings of a key of a device. */
export const keySettingsId = (device_id: string, key: string) => `${device_id}/${key}`;

/** State of the metadata. */
export interface MetadataState {
  readonly settings: Settings;
  /** The `sequence` of the next row made. */
  readonly next_sequence: number;
  readonly deletions: readonly PendingDeletion[];
  /** The last line of the audit trail. */
  readonly trail: Head;
  /** The rows of a table, frozen, in the order in which they were made. */
  rows(table: TableName): readonly AnyRow[];
}

/** The state of a folder that is used for the first time: one account, which owns everything until there are more. */
export function firstMetadata(now: Micros, chance: Pick<Chances, 'of'>): MetadataState {
  const name = 'Default';
  const owner: StoredAccount = Object.freeze({
    id: newAccountId(chance, name),
    name,
    created: now,
    sequence: 1,
  });
  return {
    // Of the system, whatever the seed: the keychain and labs tell installations apart by it.
    settings: { installation_id: systemRandom.uuid(), default_account_id: owner.id },
    next_sequence: owner.sequence + 1,
    deletions: [],
    trail: NO_LINES,
    rows: (table) => (table === 'accounts' ? [owner] : []),
  };
}
