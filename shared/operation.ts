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
  readonly method: Method;
  /** Path below the base URL, parameters as `:name`. Path parameters are fields of the input. */
  readonly path: Path;
  /** The permission a key needs (docs/api.md, "Access"). */
  readonly permission: Permission;
  /** It reaches beyond single projects, so a key that is limited to some projects may not use it. */
  readonly wholeAccount?: boolean;
  /** The envelope's `action` and the `message` of success. */
  readonly action: string;
  readonly message: string;
  readonly status: Status;
  /** Path parameters, query and JSON body together; a path parameter wins over a body field of its name. */
  readonly input: I;
  /** The envelope's `data`. */
  readonly output: O;
  /** `stream`: the body is the data itself (an import), and the other fields ride in the query. */
  readonly body: 'none' | 'json' | 'stream';
  /**
   * `stream`: success is the data itself (an export), not an envelope. `bare`: over HTTP it is `data` without the
   * envelope, for programs that read it by its address; windows get the envelope.
   */
  readonly reply: 'envelope' | 'stream' | 'bare';
}

type Given<I extends z.ZodType, O extends z.ZodType, Path extends string> = Omit<
  Operation<I, O, Path>,
  'status' | 'body' | 'reply'
> &
  Partial<Pick<Operation, 'status'>>;

/** Completes an operation: status 200 and an envelope unless said otherwise; POST and PATCH carry JSON. */
export function operation<I extends z.ZodType, O extends z.ZodType, const Path extends string>(
  given: Given<I, O, Path>,
) {
  const body = given.method === 'POST' || given.method === 'PATCH' ? ('json' as const) : ('none' as const);
  return { status: 200 as const, reply: 'envelope' as const, body, ...given };
}

/** An operation whose success is read by programs that know no envelope. */
export function bareOperation<I extends z.ZodType, O extends z.ZodType, const Path extends string>(
  given: Given<I, O, Path>,
) {
  return { status: 200 as const, reply: 'bare' as const, body: 'none' as const, ...given };
}

/** An operation whose request body is the data itself. */
export function uploadOperation<I extends z.ZodType, O extends z.ZodType, const Path extends string>(
  given: Given<I, O, Path>,
) {
  return { status: 200 as const, reply: 'envelope' as const, body: 'stream' as const, ...given };
}

/** An operation whose answer is the data itself. */
export function downloadOperation<I extends z.ZodType, O extends z.ZodType, const Path extends string>(
  given: Given<I, O, Path>,
) {
  return { status: 200 as const, reply: 'stream' as const, body: 'none' as const, ...given };
}
