import type { z } from 'zod';
import type { Status } from './envelope.ts';
import type { Permission } from './schemas.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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
  /** Description for readers of the OpenAPI document. */
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
  /** It may take long without a file: it ends, where nothing waits for it, once its asker has gone. */
  readonly mayTakeLong?: true;
  /**
   * A project may ask for a reason of it (`reason_required`), as it removes or corrects what was measured: true, or the name of
   * the list in its input without which it does not. Each has `reason`, and `project_id` in its path.
   */
  readonly asksForReason?: true | string;
  /** Media type of the file that it takes or gives; absent: a file of records (domain/file-formats.ts). */
  readonly media?: string;
  /** Fields of the input that are secrets: no message shows them, and no body with them is kept among the requests seen. */
  readonly secrets?: readonly string[];
  /** Names that fields have in bodies and answers over HTTP, where a path parameter has theirs: there `device_id` is another device. */
  readonly bodyNames?: Readonly<Record<string, string>>;
  /** Header of each field that rides in one beside a file, percent-encoded: addresses, which have the others, are logged. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Given<I extends z.ZodType, O extends z.ZodType, Path extends string> = Omit<
  Operation<I, O, Path>,
  'door' | 'status' | 'body' | 'reply'
> &
  Partial<Pick<Operation, 'status'>>;

const json = (method: Method) =>
  method === 'GET' || method === 'DELETE' ? ('none' as const) : ('json' as const);
const stream = () => 'stream' as const;
const none = () => 'none' as const;

/** A kind of operation: completes one with what all of its kind have, and with status 200 unless said otherwise. */
function kind<
  const Door extends Operation['door'],
  const Reply extends Operation['reply'],
  Body extends Operation['body'],
>(door: Door, reply: Reply, bodyOf: (method: Method) => Body) {
  return <I extends z.ZodType, O extends z.ZodType, const Path extends string>(given: Given<I, O, Path>) => ({
    door,
    status: 200 as const,
    reply,
    body: bodyOf(given.method),
    ...given,
  });
}

/** POST, PUT and PATCH carry JSON. */
export const operation = kind('all', 'envelope', json);
/** Its success is read by programs that know no envelope. */
export const bareOperation = kind('all', 'bare', none);
/** Its request body is the data itself. */
export const uploadOperation = kind('all', 'envelope', stream);
/** Its answer is the data itself. */
export const downloadOperation = kind('all', 'stream', none);
/** The same, with its input as JSON: where an address is no place for it. */
export const postedDownloadOperation = kind('all', 'stream', json);
/** Only windows and the command line of the data directory have it: it is about the machine that they are on. */
export const windowOperation = kind('bridge', 'envelope', json);
/** Only windows have it: it reads arrays, which JSON would make slow. */
export const arraysOperation = kind('bridge', 'arrays', none);
