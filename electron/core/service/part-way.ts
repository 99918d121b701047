import type { Context } from '../api/context.ts';

/** A part that there is once the service listens. Throws before. */
export function listens<T>(part: T | null): T {
  if (part === null) throw new Error('The service does not listen yet.');
  return part;
}

/** Few starts have a seed file, and no other need load what reads YAML. */
export async function readSeedFile(path: string): Promise<Context['seedFile']> {
  const { readSeed } = await import('../api/seed/read-seed.ts');
  return readSeed(path);
}
