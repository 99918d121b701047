import type { DoorName } from '#shared/operations/service/doors.ts';
import type { VaultSetting } from '#shared/operations/service/service.ts';
import type { ClockSetting } from './rig-clock.ts';

/** A database that several services share, in place of what a data directory keeps. */
export interface StoreConfig {
  /** Without a password: postgres://user@host/database. */
  readonly url: string;
  /** That of FIELDBENCH_STORE_PASSWORD, or a file, absolute, which has it; null where the database asks for none. */
  readonly password: string | { readonly file: string } | null;
  /** Key file of the secrets, absolute; null for the passphrase. */
  readonly keyFile: string | null;
}

/** Configuration of one run of the service. */
export interface Config {
  /** The data directory, absolute. With a `store` it holds what is this service's own: certificates, doors, sessions. */
  readonly directory: string;
  /** Bytes that the data directory may take in memory, where nothing of it is on disk; null: it is a folder. */
  readonly memoryBytes: number | null;
  /** Null: everything is in the data directory. */
  readonly store: StoreConfig | null;
  /** Where programs and people reach the service, such as a balancer, without a slash at its end; null: where it listens. */
  readonly publicUrl: string | null;
  /** Addresses and networks (10.0.0.0/24) of balancers: of their connections only the number of all is limited. */
  readonly trustedProxies: readonly string[];
  /** Where the HTTPS door listens; anything but loopback needs tls (docs/running.md, "Command line"). */
  readonly host: string;
  /** HTTPS, 0 for any free port. With tls off this is the plain port. */
  readonly port: number;
  /** Plain HTTP on loopback; null is off. */
  readonly httpPort: number | null;
  /** Plain MQTT on loopback; null is off. One that nobody has asked for may be taken by another program. */
  readonly mqttPort: { readonly number: number; readonly isAsked: boolean } | null;
  /** MQTT with the service's certificate, on `host`; null is off. */
  readonly mqttsPort: number | null;
  readonly tls: boolean;
  /** A certificate of somebody else's making, absolute paths (tls/given-tls.ts); null: the service's own. */
  readonly certificate: { readonly certFile: string; readonly keyFile: string } | null;
  /** Doors set by flags, which the settings of the app do not change; null: all. */
  readonly flags: ReadonlySet<DoorName> | null;
  readonly vault: VaultSetting;
  /** How many ms a keychain in use may take to answer at the start. */
  readonly keychainPatienceMs: number;
  /** For the file vault, from FIELDBENCH_PASSPHRASE. */
  readonly passphrase: string | null;
  /** scrypt's N for passphrases of backups; null: that of vault/sealing.ts. */
  readonly backupCost: number | null;
  /** The program keeps its data beside itself: secrets of a new data directory go along, in files. */
  readonly isPortable: boolean;
  /** What the clock of a rig is set to at the start; null: the machine's, which nobody sets. */
  readonly clock: ClockSetting | null;
  /** The seed file of a service for tests, absolute; null: none. */
  readonly seedFile: string | null;
  /** What ids, keys and tokens follow from (docs/rigs.md, "Chance"), a whole number from 0; null: nothing, as nobody may guess them. */
  readonly seed: number | null;
  /** Only the operations under /v2. */
  readonly strict: boolean;
  /** The built renderer that the browser console serves, absolute; null serves none. */
  readonly rendererDirectory: string | null;
  /** Script of the worker threads (worker.ts), absolute; null does their work in this thread. */
  readonly workerScript: string | null;
  /** Script of the processes in which functions of users run (functions/sandbox/isolate.ts), absolute. */
  readonly isolateScript: string;
}
