import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OUT = new URL('../../out/main/', import.meta.url);

/** The built command line. Throws where there is none. */
export const builtCli = (): string => built('cli.js');

/** The built script of worker threads: from TypeScript each would take some 15 MB more. Throws where there is none. */
export const builtWorker = (): string => built('worker.js');

/** Script of processes of functions. */
export const builtIsolate = (): string => built('isolate.js');

function built(name: string): string {
  const file = fileURLToPath(new URL(name, OUT));
  if (!existsSync(file)) throw new Error(`There is no built app at ${file}: npm run build makes it.`);
  return file;
}
