import type { Metadata, NewRow } from '#core/store/metadata/metadata.ts';

/** One place to keep metadata in: opened any number of times, one at a time, and cleared in the end. */
export interface MetadataHome {
  open(): Promise<Metadata>;
  remove(): Promise<void>;
  /** Whether metadata that is opened again has what the last one kept. */
  readonly lasting: boolean;
}

/** All that the metadata holds. */
export async function allOf(metadata: Metadata) {
  return metadata.read(async (tables) => ({
    settings: await tables.settings(),
    deletions: await tables.deletions(),
    accounts: await tables.list('accounts'),
    projects: await tables.list('projects'),
    devices: await tables.list('devices'),
    api_keys: await tables.list('api_keys'),
    functions: await tables.list('functions'),
    widgets: await tables.list('widgets'),
    key_settings: await tables.list('key_settings'),
    notes: await tables.list('notes'),
    alarms: await tables.list('alarms'),
    corrections: await tables.list('corrections'),
    correction_history: await tables.list('correction_history'),
    views: await tables.list('views'),
  }));
}

export const hashOf = (n: number) => n.toString(16).padStart(64, '0');

export const aProject = (id: string, account_id = 'a'): NewRow<'projects'> => ({
  id,
  account_id,
  name: id,
  description: '',
  created: 1,
});

export const aDevice = (id: string, project_id: string, n = 0): NewRow<'devices'> => ({
  id,
  project_id,
  name: id,
  description: '',
  source: 'http',
  tags: ['field'],
  brand: 'Custom',
  model: 'Custom',
  avatar: null,
  interval_s: null,
  metadata: { height: { metres: 2 } },
  token_hash: hashOf(n),
  created: 1,
});

export const aKey = (id: string, account_id: string, n: number): NewRow<'api_keys'> => ({
  id,
  account_id,
  name: id,
  permissions: ['read'],
  project_ids: null,
  expires: null,
  hash: hashOf(n),
  role: n === 0 ? 'service' : 'user',
  created: 1,
});

export const aFunction = (id: string, project_id: string, device_id: string): NewRow<'functions'> => ({
  id,
  project_id,
  device_id,
  name: id,
  type: 'threshold',
  enabled: true,
  script: 'return',
  condition: null,
  created: 1,
});

export const aWidget = (id: string, project_id: string, devices: readonly string[]): NewRow<'widgets'> => ({
  id,
  project_id,
  title: id,
  type: 'line',
  sources: devices.map((device_id) => ({ device_id, key: 'k' })),
  layout: {},
  range: {},
  created: 1,
});

/** An alarm that ended, with a webhook of it. */
export const anAlarm = (
  id: string,
  of: { readonly project_id: string; readonly device_id: string; readonly function_id: string },
): NewRow<'alarms'> => ({
  id,
  ...of,
  name: 'Too hot',
  since: 1,
  start: 2,
  fired: 3,
  end: 4,
  raised: 3,
  amended: null,
  withdrawn: null,
  acknowledged: null,
  acts: [
    {
      key: `${id}/0/raised`,
      event: 'raised',
      act: { do: 'webhook', url: 'https://example.org/alarms' },
      state: 'done',
      tries: 1,
      next: null,
      error: null,
    },
  ],
  created: 3,
});
