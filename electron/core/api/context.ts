import type { ArraysId, Operations, CheckedInput, OperationId, OutputOf } from '#shared/operations/index.ts';
import type { DoorsNow } from '#shared/operations/service/doors.ts';
import type { ArraysOf } from '#shared/bridge/wire.ts';
import type { Backend } from '../backend/backend.ts';
import type { Clock } from '../base/clock.ts';
import type { RigClock } from '../base/rig-clock.ts';
import type { Config } from '../base/config.ts';
import type { Faults } from '../faults/faults.ts';
import type { Decoders } from '../functions/decoders.ts';
import type { Merges } from '../sync/merges.ts';
import type { FairSemaphore } from '../turns/semaphore.ts';
import type { SyncBaseline } from '../push/sync-baseline.ts';
import type { FairQueue } from '../turns/fair-queue.ts';
import type { Body } from '../import/body.ts';
import type { Arrivals } from '../ingest/arrivals.ts';
import type { OtherServices } from '../remote/other-services.ts';
import type { RequestsSeen } from '../requests/requests-seen.ts';
import type { Simulators } from '../simulate/simulators.ts';
import type { Uploads } from '../simulate/uploads.ts';
import type { Restores } from './backup/restores.ts';
import type { Removals } from './exports/removals.ts';
import type { Answer, EncodedJson, PagePlace, Principal } from './call.ts';
import type { Found } from './find.ts';
import type { Seed } from './seed/read-seed.ts';
import type { RuleProblems } from './rules/rule-problems.ts';
import type { StoreChecks } from './store-checks.ts';

/** Addresses of the service, known once it listens. */
export interface Urls {
  readonly base_url: string;
  readonly http_url: string | null;
  readonly mqtt_url: string | null;
  readonly mqtts_url: string | null;
  /** Addresses of MQTT over WebSockets. */
  readonly mqtt_websocket_urls: readonly string[];
  /** Why the plain MQTT door is shut, for people to read; null while it is open. */
  readonly mqtt_shut: string | null;
  readonly ca_file: string | null;
}

/** The doors while the service runs. */
export interface LiveDoors {
  /** Where those over TLS listen. */
  readonly host: string;
  now(): DoorsNow;
  /** Opens, moves and shuts them: all that is given, or nothing. Rejects with a 400 Refusal that names the field. */
  update(given: CheckedInput<'doors.update'>): Promise<DoorsNow>;
}

/** Context of handlers. */
export interface Context extends Omit<Backend, 'notes' | 'close'> {
  readonly config: Config;
  readonly clock: Clock;
  /** The same clock where it may be set; null for the machine's. */
  readonly rigClock: RigClock | null;
  /** What a service for tests holds at first; null for none. */
  readonly seedFile: Seed | null;
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  /** The account whose unlimited keys administer the installation. */
  readonly default_account_id: string;
  /** Of exports. */
  readonly exports: FairQueue;
  /** Of files that are imported or looked at. */
  readonly files: FairQueue;
  /** Of surveys of many records. */
  readonly surveys: FairSemaphore;
  /** Of what other services hand over. */
  readonly merges: Merges;
  /** Sync baseline of pushes. */
  readonly baseline: SyncBaseline;
  readonly removals: Removals;
  readonly urls: () => Urls;
  /** Known once it listens. */
  readonly doors: () => LiveDoors;
  /** The last ones of devices and programs. */
  readonly requests: RequestsSeen;
  /** The last records that came to devices which somebody follows. */
  readonly arrivals: Arrivals;
  /** What decodes for devices. */
  readonly decoders: Decoders;
  /** Why rules could not be judged. */
  readonly ruleProblems: RuleProblems;
  readonly simulators: Simulators;
  readonly uploads: Uploads;
  readonly checks: StoreChecks;
  readonly restores: Restores;
  /** Services elsewhere that windows of this machine open. */
  readonly otherServices: OtherServices;
  /** Clients that are signed in over MQTT, and their messages that were not stored. */
  readonly mqtt: () => { readonly connections: number; readonly refused: number };
  /** The authority's certificate, PEM; null with TLS off. */
  readonly caCertificate: () => string | null;
  /** µs since 1970. */
  readonly startedAt: number;
  /** Findings and repairs of the start and since, for people to read. */
  readonly notes: () => readonly string[];
}

/** A call that passed every check, with what its path names. */
export type Checked<Id extends OperationId> = {
  readonly input: CheckedInput<Id>;
  readonly principal: Principal;
} & Found<Operations[Id]['path']>;

/** A checked call, as its handler gets it. */
export type Admitted<Id extends OperationId> = Checked<Id> & {
  readonly body: Body | undefined;
  readonly signal: AbortSignal | undefined;
};

export interface Handled<Data> {
  readonly data: Data | EncodedJson;
  readonly page?: PagePlace;
  readonly download?: NonNullable<Answer['download']>;
}

/** Reply of an operation with arrays: its pieces, and at their end its data. */
export interface HandledArrays<Id extends ArraysId> {
  readonly arrays: AsyncGenerator<ArraysOf<Id>, OutputOf<Id>, undefined>;
}

type Result<Id extends OperationId> = Id extends ArraysId ? HandledArrays<Id> : Handled<OutputOf<Id>>;

export type Handler<Id extends OperationId> = (
  call: Admitted<Id>,
  context: Context,
) => Result<Id> | Promise<Result<Id>>;

/** One handler for each operation of the table: a missing one does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** Handlers of some nouns. */
export type HandlersOf<Noun extends string> = Pick<Handlers, Extract<OperationId, `${Noun}.${string}`>>;
