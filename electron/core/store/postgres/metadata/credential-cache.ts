import { Lru } from '../../blocks/query/lru.ts';
import type { StoredKey } from '../../metadata/metadata-schema.ts';
import type { Sender } from '../../metadata/sender.ts';
import type { AskOptions, Database } from '../connection/connections.ts';
import { changesSince } from './change-log.ts';
import type { Credentials, FoundCredentials } from './credentials.ts';
import { PackedSenders } from './packed-senders.ts';

/** Bytes of the tokens that are remembered: those of some 1.5 million devices. */
const TOKEN_BYTES = 160e6;
/** Bytes of the API keys, as their rows are long. */
const KEY_BYTES = 8e6;

/**
 * LRU caches of device tokens and API keys, apart from all else that is remembered: what a device needs to store is not pushed out
 * by lists. They hold for one version of the metadata, in one history of the database, and what a later one changed is forgotten
 * by its name. What is unknown or was revoked is not remembered: whoever tries secrets pushes nothing out.
 */
export class CredentialCache implements Credentials {
  readonly #database: Database;
  readonly #senders: PackedSenders;
  readonly #keys: Lru<string, StoredKey>;
  #version = 0;
  #history: number;

  /** The limits are in bytes. */
  constructor(database: Database, { tokenBytes = TOKEN_BYTES, keyBytes = KEY_BYTES } = {}) {
    this.#database = database;
    this.#senders = new PackedSenders(tokenBytes);
    this.#keys = new Lru(keyBytes);
    this.#history = database.history;
  }

  /** The version that it holds for; 0 where it holds for none. */
  get version(): number {
    const { history } = this.#database;
    if (history !== this.#history) this.#forgetAll(0);
    this.#history = history;
    return this.#version;
  }

  sender(hash: string): Sender | undefined {
    return this.#senders.get(hash) ?? undefined;
  }

  key(hash: string): StoredKey | undefined {
    return this.#keys.get(hash);
  }

  /** Brings it to a version that the database has reached, or to one after it, by forgetting what changed up to there. */
  async catchUp(wanted: number, options: AskOptions = {}): Promise<void> {
    const since = this.version;
    if (since >= wanted) return;
    // An empty one may hold for any.
    if (since === 0) return this.#forgetAll(wanted);
    const history = this.#history;
    const { version, names } = await changesSince(this.#database, { since, wanted }, options);
    // Who asked at the same time may have brought it further.
    if (version <= this.version) return;
    if (names === null || history !== this.#history) return this.#forgetAll(version);
    for (const each of names) {
      if (each.version <= this.#version) continue;
      for (const hash of each.hashes) {
        this.#senders.delete(hash);
        this.#keys.delete(hash);
      }
      for (const project_id of each.projects) this.#senders.deleteProject(project_id);
    }
    this.#version = version;
  }

  /** Remembers what was found in the version that it holds for; what is of another one is not remembered. */
  remember({ version, senders, keys }: FoundCredentials): void {
    if (version !== this.version) return;
    for (const [hash, sender] of senders) this.#senders.set(hash, sender);
    for (const [hash, { key, bytes }] of keys) this.#keys.set(hash, key, bytes);
  }

  #forgetAll(version: number): void {
    this.#senders.clear();
    this.#keys.clear();
    this.#version = version;
  }
}
