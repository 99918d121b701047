import type { Readable } from 'node:stream';
import type { Principal } from '../api/call.ts';
import type { Urls } from '../api/context.ts';
import type { OpenWindow } from '../bridge/open-window.ts';

/** Work that a stop would cut off. */
export interface UnderWay {
  /** Devices that have stored within the last five minutes. */
  readonly sending: number;
  /** Jobs: imports, exports, pushes, deletes. */
  readonly jobs: number;
}

/** The running service. */
export interface Service extends Urls {
  /** The certificate of the service's own authority, PEM; null where it has none. */
  readonly ca_certificate: string | null;
  readonly account_id: string;
  /** The service's own key of the default account, with every permission. */
  readonly api_key: string;
  /** Where secrets are kept and why, and what is to be known of it: lines for who starts the service. */
  readonly secrets: readonly string[];
  /**
   * The browser console with a fresh one-time token; null where there is none (strict, or no built renderer). Rejects with
   * StoreError.
   */
  console_url(): Promise<string | null>;
  /** Principal of the app's own windows, and of the console's. */
  readonly owner: Principal;
  readonly openWindow: OpenWindow;
  /** A file that a window was told of, by its path there, for the first who asks; null where there is none. */
  takeFile(path: string): Readable | null;
  /** Where the doors over TLS listen. */
  readonly host: string;
  /** Calls `listener` whenever doors were opened, moved or shut: addresses are others then. */
  onMoved(listener: () => void): void;
  /** Resolves with the work under way. Rejects with StoreError. */
  underWay(): Promise<UnderWay>;
  /** Tells balancers to send requests elsewhere; those that come are answered as before. */
  drain(): void;
  /** Stops accepting, finishes what runs, flushes. Safe to call twice. */
  close(): Promise<void>;
}
