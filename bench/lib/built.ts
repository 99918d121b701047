import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../out/main/cli.js', import.meta.url));

/** The built command line. Throws where there is none. */
export function builtCli(): string {
  if (!existsSync(CLI)) throw new Error(`There is no built app at ${CLI}: npm run build makes it.`);
  return CLI;
}
