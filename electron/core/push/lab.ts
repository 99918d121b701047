import type { InputOf, OutputOf } from '#shared/operations/index.ts';
import type { RowOutcome, SentRow } from '#shared/operations/records/sync-rows.ts';
import type { Looked, Merged, SentVersion } from '#shared/operations/records/sync.ts';
import type { TimeRange } from '#shared/values/time.ts';
import type { Part } from '../sync/digests.ts';
import type { Identified } from '../sync/ids.ts';

/** The lab said no, to this one thing; the message is its own. */
export class LabRefusal extends Error {
  override readonly name = 'LabRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The lab cannot be asked, or not any more: nothing further is sent. The message says why. */
export class LabLost extends Error {
  override readonly name = 'LabLost';
}

/** A device in the lab. */
export interface Place {
  readonly project_id: string;
  readonly device_id: string;
}

type Fields<Id extends 'projects.update' | 'devices.update'> = Omit<InputOf<Id>, 'project_id' | 'device_id'>;

/**
 * The other side of a push (docs/local-api.md, "Sync"). Each rejects with LabRefusal or LabLost, or as the signal's reason.
 */
export interface Lab {
  look(asked: InputOf<'sync.look'>): Promise<Looked>;
  /** Resolves with false where it was there already. */
  addProject(project: InputOf<'sync.add-project'>): Promise<boolean>;
  /** As `addProject`. */
  addDevice(device: InputOf<'sync.add-device'>): Promise<boolean>;
  updateProject(project_id: string, fields: Fields<'projects.update'>): Promise<void>;
  updateDevice(place: Place, fields: Fields<'devices.update'>): Promise<void>;
  digests(place: Place, range: Required<TimeRange>, parts: number): Promise<readonly Part[]>;
  ids(place: Place, range: Required<TimeRange>, prefix: string): Promise<Identified>;
  /** `lines` as `lineOf` of sync/lines.ts writes them. */
  merge(place: Place, lines: Uint8Array, removed: 'leave-out' | 'store'): Promise<Merged>;
  /** With `isDryRun` it only says what it would add. */
  mergeCorrections(
    place: Place,
    versions: readonly SentVersion[],
    isDryRun: boolean,
  ): Promise<OutputOf<'sync.corrections'>>;
  /** Resolves with what became of rows of a project of the lab, in their order; with `isDryRun` with what would. */
  mergeRows(project_id: string, rows: readonly SentRow[], isDryRun: boolean): Promise<readonly RowOutcome[]>;
  /** Tells until when rules were judged here on a device, and their acts done: it does them not again. */
  noteJudged(project_id: string, judged: NonNullable<InputOf<'sync.rows'>['judged']>): Promise<void>;
  rehearse(lines: Uint8Array): Promise<void>;
  /** Bytes of all requests so far, without their heads. */
  readonly sentBytes: number;
  close(): void;
}
