import { SCHEMA_VERSION } from '../metadata-schema.ts';

/** Lifts a document from one version to the next; the version itself is counted up by `migrate`. */
export type Migration = (document: Record<string, unknown>) => Record<string, unknown>;

/** `MIGRATIONS[n]` lifts version n + 1 to n + 2. */
const MIGRATIONS: readonly Migration[] = [
  // Version 1 had no journal, so nothing continues it.
  (document) => ({ ...document, generation: '0-00000000' }),
  // Version 2 knew no key settings, notes and views, kept nothing that was deleted and had nothing to set; a device
  // without `interval_s` gets it as it is read.
  (document) => ({
    ...document,
    key_settings: {},
    notes: {},
    views: {},
    kept_deletes: {},
    preferences: {},
  }),
  // Version 3 knew no corrections.
  (document) => ({ ...document, corrections: {}, correction_history: {} }),
  // Version 4 knew no alarms, and no function without a device.
  (document) => ({ ...document, alarms: {} }),
];

/** The document was written by a later Fieldbench: it must be left alone. */
export class NewerVersion extends Error {
  override readonly name = 'NewerVersion';
  readonly version: number;

  constructor(version: number, latest: number) {
    super(`it has format ${version}, and this Fieldbench reads formats up to ${latest}`);
    this.version = version;
  }
}

/** Brings a document of any earlier version to the latest. Throws NewerVersion, or TypeError for no document at all. */
export function migrate(
  document: unknown,
  migrations: readonly Migration[] = MIGRATIONS,
  latest: number = SCHEMA_VERSION,
): Record<string, unknown> {
  if (typeof document !== 'object' || document === null) throw new TypeError('it holds no JSON object');
  let current = document as Record<string, unknown>;
  const { version } = current;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1)
    throw new TypeError('it names no format version');
  if (version > latest) throw new NewerVersion(version, latest);
  for (const [step, lift] of migrations.entries())
    if (step + 1 >= version) current = { ...lift(current), version: step + 2 };
  return current;
}
