import { asLoginLost, Lost, replica, sqlState } from './database-errors.ts';
import { Link, type LinkOptions } from './link.ts';

/**
 * The cluster, the database in it and the timeline that the write-ahead log is on: a promotion and a restore to a point in time
 * begin a timeline, a restore of a dump makes a database.
 */
const HISTORY = `SELECT system_identifier || ' ' || oid || ' ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS history
  FROM pg_control_system(), pg_database WHERE datname = current_database()`;
/** Codes of others of its wire family, which have no such functions, and of an owner who has forbidden them. */
const NO_HISTORY = new Set(['42883', '0A000', '42501']);
const IS_READ_ONLY = "SELECT current_setting('transaction_read_only') AS read_only";

/** The host of a database that takes writes, and the history of what it holds. */
export class Primary {
  readonly #options: LinkOptions;
  readonly #onGoneBack: () => void;
  /** Its place among the hosts. */
  #index = 0;
  /** As the last connection has it; null where none has said it. */
  #history: string | null = null;
  #wasLetIn = false;

  /** `onGoneBack` is called where a connection is of another history than those before it. */
  constructor(options: LinkOptions, onGoneBack: () => void) {
    this.#options = options;
    this.#onGoneBack = onGoneBack;
  }

  /**
   * Resolves with a connection. Rejects with StoreError `read-only` where all that answer are replicas, with LoginLost where the
   * password is no longer right, else as the last host did.
   */
  async open(): Promise<Link> {
    const { link, index, history } = await this.#find();
    this.#wasLetIn = true;
    this.#index = index;
    // Before anything is asked on this connection, and nothing more is heard of those before it.
    if (this.#history !== null && history !== null && history !== this.#history) this.#onGoneBack();
    this.#history = history ?? this.#history;
    return link;
  }

  async #find(): ReturnType<typeof findPrimary> {
    try {
      return await findPrimary(this.#options, this.#index);
    } catch (error) {
      throw this.#wasLetIn ? asLoginLost(error, this.#options.address.name) : error;
    }
  }
}

/**
 * Resolves with a connection to the first host that takes writes, its place among the hosts, beginning with the one that took
 * them last, and the history of what it holds: another one where commits may have gone, or null where it does not say.
 */
async function findPrimary(
  options: LinkOptions,
  first: number,
): Promise<{ readonly link: Link; readonly index: number; readonly history: string | null }> {
  const { hosts, name } = options.address;
  let failure: unknown = null;
  let isReplica = false;
  for (let step = 0; step < hosts.length; step++) {
    const index = (first + step) % hosts.length;
    const host = hosts[index];
    if (!host) continue;
    try {
      const link = await Link.open(options, host);
      const history = await historyWhereWritten(link, options.connectMs);
      if (history !== undefined) return { link, index, history };
      isReplica = true;
    } catch (error) {
      failure = error;
    }
  }
  // A promotion takes a while: where another host may become the primary, whoever asks tries again.
  if (isReplica && hosts.length > 1) throw new Lost(`none of the hosts of ${name} takes writes`);
  if (isReplica) throw replica(name);
  throw failure;
}

/** Returns the history of a host that takes writes; undefined for a replica. Its connection is cut then, and where it fails. */
async function historyWhereWritten(link: Link, limit: number): Promise<string | null | undefined> {
  try {
    const [row] = await link.ask({ sql: IS_READ_ONLY }, limit);
    if (row?.['read_only'] === 'off') return await historyOf(link, limit);
    link.cut();
    return undefined;
  } catch (error) {
    link.cut();
    throw error;
  }
}

async function historyOf(link: Link, limit: number): Promise<string | null> {
  try {
    const [row] = await link.ask({ sql: HISTORY }, limit);
    return (row?.['history'] as string | undefined) ?? null;
  } catch (error) {
    if (NO_HISTORY.has(sqlState(error) ?? '')) return null;
    throw error;
  }
}
