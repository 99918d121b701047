import { operationOf, type OperationId } from '#shared/operations/index.ts';
import { reads } from '#shared/operations/reads.ts';
import { parametersOf } from '#shared/schema/path-parameters.ts';
import { StoreError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { changedBy, type Metadata } from '../../store/metadata/metadata.ts';
import { canonicalJson } from '../../store/trail/canonical.ts';
import type { Event, Origin } from '../../store/trail/entry.ts';
import { redact } from '../../store/trail/redact.ts';
import { EncodedJson, type Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { toldOf, type Told } from './told.ts';

/** Characters of what is told of an input or an answer; of more, that there was so much. */
const MOST_FACTS = 16_384;

interface Row {
  readonly id: string;
  readonly name: string;
}

/** A call that passed every check, as far as it is told. */
export interface ToldCall {
  readonly input: unknown;
  readonly principal: Principal;
  readonly project?: (Row & { readonly account_id: string }) | undefined;
  readonly device?: Row | undefined;
}

/**
 * Runs an operation so that the audit trail tells who changed what by it (told.ts). Resolves, and rejects, as `run` does with the
 * context whose changes are told; where not even its beginning can be told, with StoreError, before anything is done.
 */
export async function tellOperation<Result>(
  id: OperationId,
  call: ToldCall,
  context: Context,
  run: (context: Context) => Result | Promise<Result>,
  log: Logger,
): Promise<Result> {
  const told = toldOf(id);
  const origin = originOf(id, call);
  const metadata = changedBy(context.metadata, origin);
  const own = { ...context, metadata };
  if (told.how === 'rows' || told.how === 'nothing' || told.of?.when?.(call.input as never) === false)
    return run(own);
  const teller = new Teller(id, metadata, log);
  const facts = factsOf(told, id, call.input);
  if (told.how === 'memory') {
    const result = await run(own);
    await teller.tellEnd({ outcome: 'done', facts: { ...facts, ...answerOf(told, result) } });
    return result;
  }
  const followed = changedBy(context.metadata, { ...origin, isFollowed: told.of?.hasNoEnd !== true });
  const beginner = new Teller(id, followed, log);
  const of = await beginner.tellBegin({ outcome: 'begun', facts }, told.of?.makesRoom ?? false);
  const end: Pick<Event, 'of' | 'facts'> = of === null ? { facts } : { of };
  let result: Result;
  try {
    result = await run({ ...context, metadata: followed });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await teller.tellEnd({ outcome: 'failed', ...end, message });
    throw error;
  }
  const answer = answerOf(told, result);
  if (told.of?.hasNoEnd === true) return result;
  const came = answer && { facts: { ...(of === null && facts), ...answer } };
  await teller.tellEnd({ outcome: 'done', ...end, ...came });
  return result;
}

/** Whether the operation is told of. */
export const isTold = (id: OperationId): boolean => !reads(id);

/** Where the changes of a call come from. */
function originOf(id: OperationId, { input, principal, project, device }: ToldCall): Origin {
  const { reason, account_id, project_id, device_id } = input as Readonly<Record<string, unknown>>;
  return {
    by: principal.by,
    operation: id,
    account_id: project?.account_id ?? (typeof account_id === 'string' ? account_id : principal.account_id),
    ...named('projects', project, project_id),
    ...named('devices', device, device_id),
    ...(typeof reason === 'string' && reason !== '' && { reason }),
  };
}

/** What the path names, or else an id in the body. */
function named(field: 'projects' | 'devices', found: Row | undefined, id: unknown) {
  const one = found ? { id: found.id, name: found.name } : typeof id === 'string' ? { id } : null;
  return one && { [field]: [one] };
}

class Teller {
  readonly #id: OperationId;
  readonly #metadata: Metadata;
  readonly #log: Logger;

  constructor(id: OperationId, metadata: Metadata, log: Logger) {
    this.#id = id;
    this.#metadata = metadata;
    this.#log = log;
  }

  /** Resolves with the number of the entry; null where a full disk has no room for it and `makesRoom` allows that. */
  async tellBegin(event: Event, makesRoom: boolean): Promise<number | null> {
    try {
      return await this.#metadata.change((tables) => tables.tell(event));
    } catch (error) {
      if (makesRoom && error instanceof StoreError && error.code === 'disk-full') return null;
      throw error;
    }
  }

  /** Writes the entry of the end. Where that fails the operation has not: the log says so, and its beginning stays without an end. */
  async tellEnd(event: Event): Promise<void> {
    try {
      await this.#metadata.change((tables) => tables.tell(event));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#log.error(`The audit trail lacks that ${this.#id} is ${event.outcome}`, error);
    }
  }
}

function factsOf(told: Told, id: OperationId, input: unknown): object {
  if (told.how !== 'act' && told.how !== 'memory') return {};
  const { secrets = [], path } = operationOf(id);
  // What the path names is said beside them.
  const inPath = ['project_id', 'device_id'].filter((name) => parametersOf(path).includes(name));
  const left = new Set<string>([...secrets, ...inPath]);
  const given = told.of?.facts?.(input as never) ?? (input as object);
  const fields = Object.entries(given).filter(([name, value]) => value !== undefined && !left.has(name));
  return bounded(Object.fromEntries(fields));
}

/** `result`: as a handler returns it. */
function answerOf(told: Told, result: unknown): { readonly answer: unknown } | null {
  const { data } = result as { readonly data?: unknown };
  if (told.how !== 'act' && told.how !== 'memory') return null;
  if (told.of?.answer !== true || data === undefined || data instanceof EncodedJson) return null;
  return { answer: bounded(data) };
}

/** Returns facts as they are told, or how many characters they have where a line would become too long. */
function bounded<T>(facts: T): T | { readonly characters: number } {
  const { length } = canonicalJson(redact(facts));
  return length > MOST_FACTS ? { characters: length } : facts;
}
