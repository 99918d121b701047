import type { Files } from '../disk/files.ts';
import type { Space } from '../disk/free-space.ts';
import type { LineJournal } from '../disk/line-journal.ts';
import type { EventBus } from '../base/event-bus.ts';
import type { JournalName } from './journals.ts';
import type { KeptLines } from './kept-lines.ts';
import type { KeyUse } from './key-use.ts';
import type { InstallationChance } from './own-chance.ts';
import type { Metadata } from '../store/metadata/metadata.ts';
import type { BackupRecords } from '../store/backup-records.ts';
import type { FormerTrails } from '../store/trail/former-trails.ts';
import type { RecordStore } from '../store/store.ts';
import type { WorldSnapshots } from '../store/world-snapshots.ts';
import type { SecretsKeeper } from '../vault/secrets-keeper.ts';
import type { SharedMessages } from './shared-messages.ts';
import type { Tickets } from './tickets.ts';
import type { Serial } from '../turns/serial.ts';
import type { Vault } from '../vault/vault.ts';
import type { Jobs } from '../work/jobs.ts';
import type { OwnWork, SharedWork } from '../work/shared-work.ts';

/** Snapshots of worlds, and how a restore keeps out of the way of deletes. */
export interface Worlds extends Pick<OwnWork, 'alone'> {
  readonly snapshots: WorldSnapshots;
  /** One snapshot is taken, restored or removed after the other. */
  readonly serial: Serial;
}

/** Backend: all that the service keeps, and its events. The service is built on it and knows nothing below it. */
export interface Backend {
  readonly records: RecordStore;
  /** The same records, for backups; null where they lie in a database, which is backed up by its own means. */
  readonly backup: BackupRecords | null;
  /** Audit trails of other installations, which restores brought; null as above. */
  readonly formerTrails: FormerTrails | null;
  /** Snapshots of worlds; null as above. */
  readonly worlds: Worlds | null;
  readonly metadata: Metadata;
  readonly vault: Vault;
  /** The same vault, for who looks after it. */
  readonly secrets: Pick<SecretsKeeper, Exclude<keyof SecretsKeeper, 'vault'>>;
  /** Where the keys of this service's certificates are. */
  readonly tlsKeys: Vault;
  readonly events: EventBus;
  readonly chance: InstallationChance;
  readonly jobs: Jobs;
  readonly work: SharedWork;
  readonly keyUse: KeyUse;
  /** Messages of rules to MQTT clients of all services; null where one service has them all. */
  readonly messages: SharedMessages | null;
  /** One-time tickets of the console. */
  readonly tickets: Tickets;
  /** Opens a journal for state beside records and metadata. */
  readonly journal: (name: JournalName, version: number) => LineJournal;
  /** The same for what all services over one store remember together. */
  readonly lines: (name: JournalName, version: number) => KeptLines;
  /** Files of the data directory, which may be in memory. */
  readonly ownFiles: Files;
  /** Resolves with the space that is left for them. Throws Node's errors. */
  readonly space: () => Promise<Space>;
  /** Resolves with the free share of the records' disk, from 0 to 1; 1 where a server watches that. */
  readonly freeShare: () => Promise<number>;
  /** Findings and repairs, for people to read; the list may grow. */
  readonly notes: readonly string[];
  /** Finishes what was begun, and lets go of everything. */
  close(): Promise<void>;
}
