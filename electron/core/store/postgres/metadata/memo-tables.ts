import { Lru } from '../../blocks/query/lru.ts';
import type { AnyHaving } from '../../metadata/any-row.ts';
import type {
  PendingDeletion,
  Row,
  Settings,
  StoredDevice,
  StoredKey,
  TableName,
} from '../../metadata/metadata-schema.ts';
import type { Having, Tables } from '../../metadata/metadata.ts';
import type { Sender } from '../../metadata/sender.ts';
import type { Credentials } from './credentials.ts';

/** Rows that are remembered at most, those of lists among them. */
const MOST_ROWS = 50_000;

/** Memo of reads of one version of the tables, in one history of the database. */
export class Memo {
  readonly version: number;
  readonly history: number;
  readonly #answers = new Lru<string, unknown>(MOST_ROWS);

  constructor(version: number, history: number) {
    this.version = version;
    this.history = history;
  }

  /** Returns the remembered answer; undefined where there is none. */
  answer(question: string): unknown {
    return this.#answers.get(question);
  }

  /** Remembers an answer, in place of those that were not asked for lately. One that is too long for all of the room is not remembered. */
  remember(question: string, answer: unknown): void {
    const rows = Array.isArray(answer) ? answer.length + 1 : 1;
    if (rows <= MOST_ROWS) this.#answers.set(question, answer, rows);
  }
}

/** The memo lacks an answer: the database has to be asked. */
export class NotInMemo extends Error {
  override readonly name = 'NotInMemo';
  /** Of the secret whose token or API key is asked for; null for another question. */
  readonly hash: string | null;

  constructor(hash: string | null) {
    super('It was not asked before.');
    this.hash = hash;
  }
}

/**
 * The tables as far as the memo of one version has them, and tokens and API keys as far as they are known of that version.
 * Other reads throw NotInMemo. With tables below, which are of the same version, they go there, and all but tokens and API
 * keys are remembered.
 */
export class MemoTables implements Tables {
  readonly #memo: Memo;
  readonly #below: Tables | null;
  readonly #credentials: Credentials | null;
  /** Reads under way below, shared by equal ones. */
  readonly #asked = new Map<string, Promise<unknown>>();

  private constructor(memo: Memo, below: Tables | null, credentials: Credentials | null) {
    this.#memo = memo;
    this.#below = below;
    this.#credentials = credentials;
  }

  static over(below: Tables, memo: Memo): MemoTables {
    return new MemoTables(memo, below, null);
  }

  static of(memo: Memo, credentials: Credentials): MemoTables {
    return new MemoTables(memo, null, credentials);
  }

  get<Name extends TableName>(table: Name, id: string): Promise<Row<Name> | null> {
    return this.#ask(['get', table, id], (below) => below.get(table, id));
  }

  list<Name extends TableName>(table: Name, having: Having[Name] = {}): Promise<readonly Row<Name>[]> {
    return this.#ask(['list', table, ...criteriaOf(having)], (below) => below.list(table, having));
  }

  count<Name extends TableName>(table: Name, having: Having[Name] = {}): Promise<number> {
    return this.#ask(['count', table, ...criteriaOf(having)], (below) => below.count(table, having));
  }

  /** Returns which ids the table holds. Not remembered: thousands of ids to be made are asked for once. */
  async held(table: TableName, ids: readonly string[]): Promise<readonly string[]> {
    return this.#require().held(table, ids);
  }

  async keyByHash(hash: string): Promise<StoredKey | null> {
    const known = this.#knownCredentials()?.key(hash);
    return known === undefined ? this.#require(hash).keyByHash(hash) : known;
  }

  deviceByTokenHash(hash: string): Promise<StoredDevice | null> {
    return this.#ask(['device', hash], (below) => below.deviceByTokenHash(hash));
  }

  async senderByTokenHash(hash: string): Promise<Sender | null> {
    const known = this.#knownCredentials()?.sender(hash);
    return known === undefined ? this.#require(hash).senderByTokenHash(hash) : known;
  }

  settings(): Promise<Settings> {
    return this.#ask(['settings'], (below) => below.settings());
  }

  deletions(): Promise<readonly PendingDeletion[]> {
    return this.#ask(['deletions'], (below) => below.deletions());
  }

  /** Null: another service may have changed any table. */
  versionOf(): null {
    return null;
  }

  async #ask<T>(question: readonly unknown[], ask: (below: Tables) => T | Promise<T>): Promise<T> {
    const name = JSON.stringify(question);
    const found = this.#memo.answer(name);
    if (found !== undefined) return found as T;
    const asked = this.#asked.get(name) ?? this.#learn(name, ask(this.#require()));
    this.#asked.set(name, asked);
    return asked as Promise<T>;
  }

  /** Returns null where they went on to another version meanwhile: a read is of one. */
  #knownCredentials(): Credentials | null {
    return this.#credentials?.version === this.#memo.version ? this.#credentials : null;
  }

  #require(hash: string | null = null): Tables {
    if (this.#below === null) throw new NotInMemo(hash);
    return this.#below;
  }

  async #learn(name: string, asked: unknown): Promise<unknown> {
    const answer = await asked;
    this.#memo.remember(name, answer);
    return answer;
  }
}

const criteriaOf = ({ account_id, project_id, device_id, function_id, role }: AnyHaving) => [
  account_id,
  project_id,
  device_id,
  function_id,
  role,
];
