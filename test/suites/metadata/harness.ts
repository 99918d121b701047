import type { Metadata } from '#core/store/metadata/metadata.ts';
import { aDevice, aFunction, aKey, anAlarm, aProject, aWidget } from './rows.ts';

/** Metadata at a place of its own, fresh for each test. */
export interface MetadataHarness {
  readonly metadata: Metadata;
  /** Closes it and opens its place again, where it lasts. */
  reopen(): Promise<void>;
  /** Two projects, three devices, and what hangs on them. */
  build(): Promise<void>;
}

export const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** What `build` of the harness does. */
export async function buildIn(metadata: Metadata): Promise<void> {
  await metadata.change(async (tables) => {
    await tables.insert('projects', aProject('p', 'a'));
    await tables.insert('projects', aProject('q', 'b'));
    await tables.insert('devices', aDevice('p2', 'p', 2));
    await tables.insert('devices', aDevice('q1', 'q', 3));
    await tables.insert('devices', aDevice('p1', 'p', 1));
    await tables.insert('api_keys', aKey('service', 'a', 0));
    await tables.insert('api_keys', aKey('user', 'a', 1));
    await tables.insert('api_keys', aKey('other', 'b', 2));
    await tables.insert('functions', aFunction('f', 'p', 'p1'));
    await tables.insert('functions', aFunction('g', 'p', 'p2'));
    await tables.insert('functions', { ...aFunction('tagged', 'p', ''), device_id: null, since: 1 });
    await tables.insert('alarms', anAlarm('x', { project_id: 'p', device_id: 'p1', function_id: 'tagged' }));
    await tables.insert('alarms', anAlarm('y', { project_id: 'p', device_id: 'p2', function_id: 'tagged' }));
    await tables.insert('alarms', anAlarm('z', { project_id: 'p', device_id: 'p2', function_id: 'g' }));
    await tables.insert('widgets', aWidget('both', 'p', ['p1', 'p2', 'p1']));
    await tables.insert('widgets', aWidget('none', 'p', []));
    await tables.insert('widgets', aWidget('one', 'p', ['p2']));
  });
}
