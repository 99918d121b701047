import { succeeded } from '#shared/schema/envelope.ts';
import { inV2, operationOf, type CheckedInput, type OperationId } from '#shared/operations/index.ts';
import { validate } from '#shared/values/validate.ts';
import type { Answer, Call, Dispatch } from '../../../api/call.ts';
import { answerTo } from '../../../api/answer-to.ts';
import { badRequest, forbidden, Refusal } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import { RemoteError } from '../../../remote/failure.ts';
import type { DistantAccess } from '../../../remote/read-access.ts';
import { columnsOf, pictureOf } from './charts.ts';
import { DistantDevices } from './devices.ts';
import type { Place, Ten } from './ten.ts';

/** Operations answered by way of the document's, and which of them each takes. */
const BY_DOCUMENT: Readonly<Partial<Record<OperationId, readonly OperationId[]>>> = {
  'projects.find': ['projects.list', 'devices.list'],
  'projects.keys': ['devices.list', 'data.keys'],
  'devices.find': ['devices.list', 'data.list'],
  'devices.summary': ['devices.get', 'data.keys', 'data.list'],
  'records.count': ['data.list'],
  'chart.columns': ['data.list'],
  'chart.series': ['data.list'],
};

/** Operations that screens call besides their own, answered as empty. */
const NONE: ReadonlySet<OperationId> = new Set([
  'key-settings.list',
  'notes.list',
  'alarms.list',
  'corrections.list',
  'views.list',
  'jobs.list',
  'undo.list',
]);

/** Whether an operation that may not be asked for there can be answered by those that may. */
export function isAnswered(id: OperationId, { operations }: Pick<DistantAccess, 'operations'>): boolean {
  return BY_DOCUMENT[id]?.every((one) => operations.has(one)) ?? false;
}

export interface DocumentOptions {
  readonly ten: Ten;
  /** Name of the service here. */
  readonly name: string;
  readonly access: DistantAccess;
  /** µs since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Answers a window's operations by the ten of the document; what they cannot say is refused in one sentence. */
export function createDocumentDispatch({ ten, name, access, now, log }: DocumentOptions): Dispatch {
  const devices = new DistantDevices(ten, now);

  /** The `data` of an operation that has no answer of its own there; undefined where it cannot be told. */
  async function answer(id: OperationId, input: unknown, signal?: AbortSignal): Promise<unknown> {
    const given = <Id extends OperationId>(_id: Id) => input as CheckedInput<Id>;
    switch (id) {
      case 'projects.find':
        return devices.projects(signal);
      case 'projects.keys':
        return devices.keys(given(id), signal);
      case 'devices.find':
        return devices.find(given(id), signal);
      case 'devices.summary':
        return devices.summary(given(id), signal);
      case 'records.count':
        return countOf(given(id), signal);
      default:
        return NONE.has(id) ? [] : undefined;
    }
  }

  async function countOf(
    { start, end, ...place }: CheckedInput<'records.count'>,
    signal?: AbortSignal,
  ): Promise<object> {
    const range = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
    const records = await ten.count(place, range, signal);
    const last = records > 0 ? await ten.at(place, 1, range, signal) : null;
    const first = records > 1 ? await ten.at(place, records, range, signal) : last;
    return { records, first: first?.timestamp ?? null, last: last?.timestamp ?? null };
  }

  function arraysOf(id: OperationId, input: unknown, signal?: AbortSignal): Answer['arrays'] {
    if (id === 'chart.columns') {
      const given = input as CheckedInput<'chart.columns'>;
      return columnsOf(ten, placeOf(given), given, signal);
    }
    return oneOf(async () => {
      const given = input as CheckedInput<'chart.series'>;
      return pictureOf(ten, placeOf(given), given, signal);
    });
  }

  async function act({ id, input, signal }: Call): Promise<Answer> {
    const operation = operationOf(id);
    const { action, status, message } = operation;
    if (access.operations.has(id) && inV2(id)) {
      const { envelope } = await ten.send(id, { ...(input as object) }, signal);
      return { envelope };
    }
    const checked = validate(operation.input, input);
    if (!checked.ok) throw badRequest(checked.message);
    if (operation.reply === 'arrays' && isAnswered(id, access))
      return {
        envelope: succeeded(action, status, message, null),
        ...withArrays(arraysOf(id, checked.value, signal)),
      };
    const data = isAnswered(id, access) || NONE.has(id) ? await answer(id, checked.value, signal) : undefined;
    if (data === undefined) throw forbidden(whyNot(id));
    return { envelope: succeeded(action, status, message, data) };
  }

  function whyNot(id: OperationId): string {
    const { action, permissions } = operationOf(id);
    if (access.kind === 'document')
      return `"${name}" answers /v2 alone, which has no "${action}": that needs a Fieldbench service.`;
    const lacking = permissions.find((permission) => !access.permissions?.includes(permission));
    return lacking !== undefined
      ? `The API key of "${name}" lacks the permission "${lacking}", which "${action}" needs.`
      : `The API key of "${name}" may not "${action}", or the service there is too old for it.`;
  }

  return async (call) => {
    const { action } = operationOf(call.id);
    try {
      return await act(call);
    } catch (error) {
      if (error instanceof RemoteError) return answerTo(action, new Refusal(503, error.message), log);
      return answerTo(action, error, log);
    }
  };
}

const placeOf = ({ project_id, device_id }: Place): Place => ({ project_id, device_id });

const withArrays = (arrays: Answer['arrays']) => (arrays ? { arrays } : {});

async function* oneOf<T>(read: () => Promise<T>): AsyncGenerator<T, null, undefined> {
  yield await read();
  return null;
}
