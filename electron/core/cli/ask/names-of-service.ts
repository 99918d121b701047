import type { InputOf, OperationId, OutputOf } from '#shared/operations/index.ts';
import type { Asker } from './asker.ts';
import { askOperation } from './call.ts';
import { refusal } from '../refusal.ts';
import type { Holdings, Named } from '../names/look-up.ts';

/** What the service of a data directory has; each list is asked for once. */
export const ofService = (directory: string): Holdings =>
  holdingsOf((id, input) => askOperation(directory, id, input));

/** The same of any service. */
export function holdingsOf(ask: Asker['operation']): Holdings {
  const lists = new Map<string, Promise<readonly Named[]>>();
  const once = (key: string, list: () => Promise<readonly Named[]>) => {
    const known = lists.get(key) ?? list();
    lists.set(key, known);
    return known;
  };
  /** Lists of a project that is gone meanwhile are empty. */
  async function listOf<Id extends OperationId>(id: Id, input: InputOf<Id>): Promise<OutputOf<Id> | []> {
    const envelope = await ask(id, input);
    if (envelope.status === 404) return [];
    if (!envelope.success) throw refusal(envelope);
    return envelope.data as OutputOf<Id>;
  }
  return {
    of: 'the service',
    projects: () => once('', () => listOf('projects.list', {})),
    devices: (project_id) => once(project_id, () => listOf('devices.list', { project_id })),
    async hasDevice(project_id, device_id) {
      const found = await listOf('devices.find', { project_id, ids: device_id, values: 0, limit: 1 });
      return found.length > 0;
    },
  };
}
