import type { z } from 'zod';
import type { Status } from './envelope.ts';
import type { Permission } from './schemas.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * One operation of the service, as data. HTTP routes, the bridge, the access matrix and the OpenAPI document are
 * derived from it; its handler lives in core/api/handlers.
 */
export interface Operation<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  Path extends string = string,
> {
  /** `bridge`: only windows have it; no route leads to it, and the OpenAPI document does not know it. */
  readonly door: 'all' | 'bridge';
  readonly method: Method;
  /**
   * Path below the base URL, parameters as `:name`. Path parameters are fields of the input. Where there is no route,
   * it says what the operation is about.
   */
  readonly path: Path;
  /** The permissions a key needs, all of them (docs/api.md, "Access"); none: any key may. */
  readonly permissions: readonly Permission[];
  /**
   * How far it reaches beyond single projects (docs/api.md, "Access"). `account`: a key that is limited to some projects
   * may not use it. `installation`: only administrators may, which are the default account's keys without such a limit.
   */
  readonly reach?: 'account' | 'installation';
  /** The envelope's `action` and the `message` of success. */
  readonly action: string;
  readonly message: string;
  /** What it does, for readers of the OpenAPI document. */
  readonly description: string;
  readonly status: Status;
  /** Path parameters, query and JSON body together; a path parameter wins over a body field of its name. */
  readonly input: I;
  /** The envelope's `data`. */
  readonly output: O;
  /** `stream`: the body is the data itself (an import), and the other fields ride in the query. */
  readonly body: 'none' | 'json' | 'stream';
  /**
   * `stream`: success is the data itself (an export), not an envelope. `bare`: over HTTP it is `data` without the
   * envelope, for programs that read it by its address; windows get the envelope. `arrays`: a window gets arrays, piece
   * by piece (`ArraysOf` of shared/bridge/wire.ts), and the envelope after the last one.
   */
  readonly reply: 'envelope' | 'stream' | 'bare' | 'arrays';
}

type Given<I extends z.ZodType, O extends z.ZodType, Path extends string> = Omit<
  Operation<I, O, Path>,
  'door' | 'status' | 'body' | 'reply'
> &
  Partial<Pick<Operation, 'status'>>;

/** Completes an operation: status 200 and an envelope unless said otherwise; POST and PATCH carry JSON. */
export function operation<I extends z.ZodType, O extends z.ZodType, const Path extends string>(
  given: Given<I, O, Path>,
) {
  const body = given.method === 'POST' || given.method === 'PATCH' ? ('json' as const) : ('none' as const);
  return { door: 'all' as const, status: 200 as const, reply: 'envelope' as const, body, ...given };
}

/** An operation whose success is read by programs that know no envelope. */
export function bareOperation<I extends z.ZodType, O extends z.ZodType, const Path extends string>(
  given: Given<I, O, Path>,
) {
  return {
    door: 'all' as const,
    status: 200 as const,
    reply: 'bare' as const,
    body: 'none' as const,
    ...given,
  };
}

/** An operation whose request body is the data itself. */
export function uploadOperation<I extends z.ZodType, O extends z.ZodType, const Path extends string>(
  given: Given<I, O, Path>,
) {
  return {
    door: 'all' as const,
    status: 200 as const,
    reply: 'envelope' as const,
    body: 'stream' as const,
    ...given,
  };
}

/** An operation whose answer is the data itself. */
export function downloadOperation<I extends z.ZodType, O extends z.ZodType, const Path extends string>(
  given: Given<I, O, Path>,
) {
  return {
    door: 'all' as const,
    status: 200 as const,
    reply: 'stream' as const,
    body: 'none' as const,
    ...given,
  };
}

/** An operation that only windows and the command line of the data directory have: it is about the machine that they are on. */
export function windowOperation<I extends z.ZodType, O extends z.ZodType, const Path extends string>(
  given: Given<I, O, Path>,
) {
  const { method } = given;
  const body = method === 'POST' || method === 'PATCH' ? ('json' as const) : ('none' as const);
  return { door: 'bridge' as const, status: 200 as const, reply: 'envelope' as const, body, ...given };
}

/** An operation that only windows have: it reads arrays, which JSON would make slow. */
export function arraysOperation<I extends z.ZodType, O extends z.ZodType, const Path extends string>(
  given: Omit<Given<I, O, Path>, 'method'>,
) {
  return {
    door: 'bridge' as const,
    method: 'GET' as const,
    status: 200 as const,
    reply: 'arrays' as const,
    body: 'none' as const,
    ...given,
  };
}
