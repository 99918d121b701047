import packageJson from '../../../package.json' with { type: 'json' };

/** The version of Fieldbench, as package.json has it. */
export const VERSION: string = packageJson.version;

/** Set by the build (electron.vite.config.ts); not there where the sources run as they are. */
declare const SOURCE_DAY: string | null | undefined;

/** The day of the sources that were built, in UTC, as 2026-11-26; null where nobody knows. */
export const BUILT_FROM: string | null = typeof SOURCE_DAY === 'string' ? SOURCE_DAY : null;
