import { parseJson } from '#shared/values/json.ts';
import { freeze } from '../../metadata/freeze.ts';
import type { StoredDevice, StoredKey, StoredProject } from '../../metadata/metadata-schema.ts';
import type { Sender } from '../../metadata/sender.ts';
import type { Asker, AskOptions } from '../connection/connections.ts';

/** Tokens and API keys of one version of the tables, by the hash of the secret. */
export interface Credentials {
  readonly version: number;
  /** Returns null where there is none; undefined where it is not known. */
  sender(hash: string): Sender | null | undefined;
  key(hash: string): StoredKey | null | undefined;
}

/** The rows of some hashes, whatever they are of, and the version that they were read in. */
const FIND = `SELECT s.version, r.kind, r.hash, r.body, p.body AS project
  FROM metadata_state s
  LEFT JOIN metadata_row r ON r.hash = ANY($1::text[]) AND r.kind IN ('devices', 'api_keys')
  LEFT JOIN metadata_row p ON r.kind = 'devices' AND p.kind = 'projects' AND p.id = r.project_id
  ORDER BY r.sequence`;

/** Rest of an API key in memory, in bytes. */
const KEY_REST = 500;

/** What one statement found of some hashes; of all others nothing is known. */
export class FoundCredentials implements Credentials {
  readonly version: number;
  readonly senders = new Map<string, Sender>();
  readonly keys = new Map<string, { readonly key: StoredKey; readonly bytes: number }>();
  readonly #asked: ReadonlySet<string>;

  private constructor(version: number, asked: ReadonlySet<string>) {
    this.version = version;
    this.#asked = asked;
  }

  /** Resolves with what the database has of these hashes: one statement, so of one version. */
  static async find(
    asker: Asker,
    hashes: readonly string[],
    options?: AskOptions,
  ): Promise<FoundCredentials> {
    const rows = await asker.ask<{
      readonly version: number;
      readonly kind: string | null;
      readonly hash: string;
      readonly body: string;
      readonly project: string | null;
    }>(FIND, [hashes], options);
    const version = rows[0]?.version;
    if (version === undefined) throw new TypeError('metadata_state has no row');
    const found = new FoundCredentials(version, new Set(hashes));
    // As everywhere, of two with one secret the one that was made first counts, and is remembered last.
    for (const { kind, hash, body, project } of rows.toReversed()) {
      if (kind === 'api_keys') {
        const key = freeze(parseJson(body) as StoredKey);
        found.keys.set(hash, { key, bytes: 2 * body.length + KEY_REST });
      } else if (kind === 'devices' && project !== null) {
        const { id, project_id, source, decodes } = parseJson(body) as StoredDevice;
        const { account_id } = parseJson(project) as StoredProject;
        found.senders.set(hash, { account_id, device: { id, project_id, source, decodes } });
      }
    }
    return found;
  }

  sender(hash: string): Sender | null | undefined {
    return this.senders.get(hash) ?? this.#unlessUnknown(hash);
  }

  key(hash: string): StoredKey | null | undefined {
    return this.keys.get(hash)?.key ?? this.#unlessUnknown(hash);
  }

  #unlessUnknown(hash: string): null | undefined {
    return this.#asked.has(hash) ? null : undefined;
  }
}
