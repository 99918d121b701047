import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { ask, Refused } from '../../bridge/ask.ts';
import { Superseded, type Way } from './undoable.ts';

/** Fields of a function that people write. */
export type FunctionFields = Pick<DeviceFunction, 'name' | 'enabled' | 'condition'> &
  Partial<Pick<DeviceFunction, 'script'>>;

/** Place of a function: the project, and the device or null. */
type Place = Pick<DeviceFunction, 'project_id' | 'device_id'>;

interface Kind {
  /** `type` of the functions, and what one is called. */
  readonly type: string;
  readonly word: string;
  readonly fieldsOf: (of: DeviceFunction) => FunctionFields;
  /** Has the store of them read anew. */
  readonly reload: () => void;
}

/** Makes, changes and deletes functions of one type. Each method rejects as `ask` does. */
export interface FunctionSteps {
  readonly create: (place: Place, fields: FunctionFields) => Promise<DeviceFunction>;
  readonly update: (of: DeviceFunction, fields: FunctionFields) => Promise<DeviceFunction>;
  readonly remove: (of: DeviceFunction) => Promise<void>;
  /** Ways that change, delete and add one, each only where it is still as this window left it, and back again. */
  readonly changing: (now: DeviceFunction, to: FunctionFields) => Way;
  readonly removing: (made: DeviceFunction) => Way;
  readonly adding: (gone: DeviceFunction) => Way;
}

/** Returns the steps of functions of one type. */
export function functionSteps({ type, word, fieldsOf, reload }: Kind): FunctionSteps {
  const create: FunctionSteps['create'] = async ({ project_id, device_id }, fields) => {
    const made = await ask('functions.create', { project_id, device_id, type, ...fields });
    reload();
    return made;
  };
  const update: FunctionSteps['update'] = async ({ project_id, id }, fields) => {
    const after = await ask('functions.update', { project_id, function_id: id, ...fields });
    reload();
    return after;
  };
  const remove: FunctionSteps['remove'] = async ({ project_id, id }) => {
    await ask('functions.delete', { project_id, function_id: id });
    reload();
  };

  /** Throws Superseded where it is not any more what this window made of it. */
  async function requireSame(of: DeviceFunction): Promise<void> {
    const { project_id, id } = of;
    try {
      const now = await ask('functions.get', { project_id, function_id: id });
      if (JSON.stringify(fieldsOf(now)) === JSON.stringify(fieldsOf(of))) return;
    } catch (error) {
      if (!(error instanceof Refused && error.status === 404)) throw error;
    }
    throw new Superseded(`The ${word} was changed since.`);
  }

  const changing: FunctionSteps['changing'] = (now, to) => async () => {
    await requireSame(now);
    const after = await update(now, to);
    return { back: changing(after, fieldsOf(now)) };
  };
  const removing: FunctionSteps['removing'] = (made) => async () => {
    await requireSame(made);
    await remove(made);
    return { back: adding(made) };
  };
  const adding: FunctionSteps['adding'] = (gone) => async () => {
    const made = await create(gone, fieldsOf(gone));
    return { back: removing(made) };
  };
  return { create, update, remove, changing, removing, adding };
}
