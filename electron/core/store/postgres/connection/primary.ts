import { Lost, replica } from './database-errors.ts';
import { Link, type LinkOptions } from './link.ts';

const IS_READ_ONLY = "SELECT current_setting('transaction_read_only') AS read_only";

/**
 * Resolves with a connection to the first host that takes writes, and its place among the hosts, beginning with the one
 * that took them last. Rejects with StoreError `read-only` where all that answer are replicas, else as the last one did.
 */
export async function findPrimary(
  options: LinkOptions,
  first: number,
): Promise<{ readonly link: Link; readonly index: number }> {
  const { hosts, name } = options.address;
  let failure: unknown = null;
  let isReplica = false;
  for (let step = 0; step < hosts.length; step++) {
    const index = (first + step) % hosts.length;
    const host = hosts[index];
    if (!host) continue;
    try {
      const link = await Link.open(options, host);
      const [row] = await link.ask({ sql: IS_READ_ONLY }, options.connectMs);
      if (row?.['read_only'] === 'off') return { link, index };
      isReplica = true;
      link.cut();
    } catch (error) {
      failure = error;
    }
  }
  // A promotion takes a while: where another host may become the primary, whoever asks tries again.
  if (isReplica && hosts.length > 1) throw new Lost(`none of the hosts of ${name} takes writes`);
  if (isReplica) throw replica(name);
  throw failure;
}
