import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A service of a soak or a fuzz, compiled as what ships is. */
export interface Compiled extends AsyncDisposable {
  readonly script: string;
  readonly worker: string;
}

/**
 * Compiles it: from the sources each of its threads would hold a compiler of TypeScript, some 20 MB, which is not to be
 * measured. Its folder lies within the project, so that the packages are found.
 */
export async function compileService(): Promise<Compiled> {
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  const outDir = await mkdtemp(join(ROOT, '.cache', 'service-'));
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: true,
      outDir,
      rolldownOptions: {
        input: { service: 'test/soak/service.ts', worker: 'electron/core/service/worker.ts' },
      },
    },
  });
  return {
    script: join(outDir, 'service.js'),
    worker: join(outDir, 'worker.js'),
    [Symbol.asyncDispose]: () => rm(outDir, { recursive: true, force: true }),
  };
}
