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

/** Rows that are remembered at most, those of lists among them. */
const MOST_ROWS = 50_000;

/** Memo of reads of one version of the tables, in one history of the database. */
export class Memo {
  readonly version: number;
  readonly history: number;
  readonly #answers = new Map<string, unknown>();
  #rows = 0;

  constructor(version: number, history: number) {
    this.version = version;
    this.history = history;
  }

  /** Returns the remembered answer; undefined where there is none. */
  answer(question: string): unknown {
    return this.#answers.get(question);
  }

  /** Remembers an answer, up to `MOST_ROWS`. */
  remember(question: string, answer: unknown): void {
    this.#rows += Array.isArray(answer) ? answer.length + 1 : 1;
    if (this.#rows <= MOST_ROWS) this.#answers.set(question, answer);
  }
}

/** The memo lacks an answer: the database has to be asked. */
export class NotInMemo extends Error {
  override readonly name = 'NotInMemo';
}

/**
 * The tables as far as the memo of one version has them. Without tables below, other reads throw NotInMemo; with them,
 * which are of the same version, they go there and are remembered.
 */
export class MemoTables implements Tables {
  readonly #memo: Memo;
  readonly #below: Tables | null;
  /** Reads under way below, shared by equal ones. */
  readonly #asked = new Map<string, Promise<unknown>>();

  constructor(memo: Memo, below: Tables | null) {
    this.#memo = memo;
    this.#below = below;
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

  keyByHash(hash: string): Promise<StoredKey | null> {
    return this.#ask(['key', hash], (below) => below.keyByHash(hash));
  }

  deviceByTokenHash(hash: string): Promise<StoredDevice | null> {
    return this.#ask(['device', hash], (below) => below.deviceByTokenHash(hash));
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

  #require(): Tables {
    if (this.#below === null) throw new NotInMemo('It was not asked before.');
    return this.#below;
  }

  async #learn(name: string, asked: unknown): Promise<unknown> {
    const answer = await asked;
    this.#memo.remember(name, answer);
    return answer;
  }
}

const criteriaOf = ({ account_id, project_id, device_id, role }: AnyHaving) => [
  account_id,
  project_id,
  device_id,
  role,
];
