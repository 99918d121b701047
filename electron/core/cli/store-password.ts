import type { StoreConfig } from '../base/config.ts';

/** Returns the password of a database by the flag that names its file, absolute, else by the environment. */
export const storePassword = (file: string | null): StoreConfig['password'] =>
  file === null ? (process.env['FIELDBENCH_STORE_PASSWORD'] ?? null) : { file };
