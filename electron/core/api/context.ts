import type { ArraysId, Operations, CheckedInput, OperationId, OutputOf } from '#shared/operations/index.ts';
import type { ArraysOf } from '#shared/wire.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { EventBus } from '../event-bus.ts';
import type { Jobs } from '../work/jobs.ts';
import type { Turns } from '../work/turns.ts';
import type {
  StoredDevice,
  StoredFunction,
  StoredKey,
  StoredProject,
  StoredWidget,
} from '../store/metadata/metadata-schema.ts';
import type { MetadataStore } from '../store/metadata/metadata.ts';
import type { RecordStore } from '../store/store.ts';
import type { Vault } from '../vault/vault.ts';
import type { Body } from '../import/body.ts';
import type { Answer, EncodedJson, PagePlace, Principal } from './call.ts';

/** Where the service answers, known once it listens. */
export interface Urls {
  readonly base_url: string;
  readonly http_url: string | null;
  readonly ca_file: string | null;
}

/** What handlers work with. */
export interface Context {
  readonly config: Config;
  readonly clock: Clock;
  readonly metadata: MetadataStore;
  readonly records: RecordStore;
  readonly vault: Vault;
  readonly events: EventBus;
  readonly jobs: Jobs;
  /** Of exports. */
  readonly turns: Turns;
  readonly urls: () => Urls;
  /** µs since 1970. */
  readonly startedAt: number;
  /** What was mended at the start, for people to read. */
  readonly notes: readonly string[];
}

type Named<
  Path extends string,
  Parameter extends string,
  Name extends string,
  Row,
> = Path extends `${string}:${Parameter}${string}` ? { readonly [N in Name]: Row } : unknown;

/** What the path of an operation names, already found and allowed. */
export type Found<Path extends string> = Named<Path, 'project_id', 'project', StoredProject> &
  Named<Path, 'device_id', 'device', StoredDevice> &
  Named<Path, 'function_id', 'function', StoredFunction> &
  Named<Path, 'widget_id', 'widget', StoredWidget> &
  Named<Path, 'key_id', 'key', StoredKey>;

/** A call that passed every check. */
export type Admitted<Id extends OperationId> = {
  readonly input: CheckedInput<Id>;
  readonly principal: Principal;
  readonly body: Body | undefined;
  readonly signal: AbortSignal | undefined;
} & Found<Operations[Id]['path']>;

export interface Handled<Data> {
  readonly data: Data | EncodedJson;
  readonly page?: PagePlace;
  readonly download?: NonNullable<Answer['download']>;
}

/** What an operation that replies with arrays gives: its pieces, and at their end its data. */
export interface HandledArrays<Id extends ArraysId> {
  readonly arrays: AsyncGenerator<ArraysOf<Id>, OutputOf<Id>, undefined>;
}

type Result<Id extends OperationId> = Id extends ArraysId ? HandledArrays<Id> : Handled<OutputOf<Id>>;

export type Handler<Id extends OperationId> = (
  call: Admitted<Id>,
  context: Context,
) => Result<Id> | Promise<Result<Id>>;

/** One handler for each operation of the table: a missing one does not compile. */
export type Handlers<Prefix extends string = string> = {
  [Id in OperationId as Id extends `${Prefix}.${string}` ? Id : never]: Handler<Id>;
};
