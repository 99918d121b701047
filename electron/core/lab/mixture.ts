import type { Database } from '../store/postgres/connection/connections.ts';
import { LATEST, type SchemaVersion } from '../store/postgres/schema/migrate.ts';

/** Meaning, for this service, of the schema's version being another than its own; sentences for people. */
export interface Mixture {
  /** Why it must store nothing; null where it may. */
  readonly whyNot: string | null;
  readonly note: string | null;
}

/**
 * Judges a schema that was brought to another version while this service ran. A newer one says the oldest version that may still
 * write to it (CONTRIBUTING.md, "A change of a lab's schema"); an older one came by a restore.
 */
export function judgeMixture(found: SchemaVersion | null, { name }: Pick<Database, 'name'>): Mixture {
  if (found === null || found.version < LATEST)
    return {
      whyNot: `The database ${name} has the tables of an older Fieldbench by now, as of a backup: this service stores nothing more. Stop all services, and start them again: the first one brings the tables up to date.`,
      note: null,
    };
  const { version, oldest_writer } = found;
  if (version === LATEST) return { whyNot: null, note: null };
  const newer = `A newer Fieldbench has brought the database ${name} to version ${version} of its tables; this service knows version ${LATEST}`;
  if (LATEST >= oldest_writer)
    return {
      whyNot: null,
      note: `${newer}, which may go on beside it. Update this service, too: it is refused at its next start.`,
    };
  return {
    whyNot: `${newer}, and from version ${oldest_writer} on they may be written: it stores nothing more. Update this service.`,
    note: null,
  };
}
