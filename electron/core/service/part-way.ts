import type { Context } from '../api/context.ts';

/** A part that there is once the service listens. Throws before. */
export function listens<T>(part: T | null): T {
  if (part === null) throw new Error('The service does not listen yet.');
  return part;
}

/** Reads what a service holds at first; null for nothing. Few starts have it, and no other need load what reads YAML. */
export async function readSeedFile(path: string | null): Promise<Context['seedFile']> {
  if (path === null) return null;
  const { readSeed } = await import('../api/seed/read-seed.ts');
  return readSeed(path);
}
