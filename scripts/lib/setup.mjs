import { build, isBuilt } from './build.mjs';
import { missingScripts, runInstallScripts } from './install-scripts.mjs';
import { installModules, whyInstall } from './modules.mjs';
import { lackingForKeytar, provideSystemPackages } from './system-packages.mjs';

/**
 * Brings whatever is missing and builds. Looks first, so that nothing missing costs a fraction of a second;
 * a run that broke off is mended by the next.
 * @param {{ isVerbose?: boolean }} [options] isVerbose: shows what the builder says
 * @returns {Promise<boolean>} whether there was anything to do in the project's folder
 */
export async function setup({ isVerbose = false } = {}) {
  const installed = await provideTools({ tests: false });
  const built = await provideBuild({ isVerbose });
  return installed || built;
}

/**
 * System packages where it may, the node modules and with them the pinned Node.
 * @param {{ tests: boolean }} options tests: also what only the tests need
 * @returns {Promise<boolean>} whether there was anything to do in node_modules
 */
export async function provideTools({ tests }) {
  const reason = whyInstall();
  const scripts = missingScripts(lackingForKeytar());
  const isReady = reason === null && scripts.length === 0;
  /** @type {import('./system-packages.mjs').Purpose[]} */
  const purposes = ['run'];
  if (!isReady) purposes.push('build');
  if (tests) purposes.push('test');
  const packages = provideSystemPackages(purposes);
  if (isReady || reason === null) await packages;
  if (isReady) return false;
  if (reason === null) {
    console.log(`Making what node_modules lacks (${scripts.join(', ')}) …`);
    await runInstallScripts(lackingForKeytar);
  } else {
    console.log(`Installing the node modules (${reason}) …`);
    await installModules(lackingForKeytar, packages);
  }
  return true;
}

/**
 * @param {{ isVerbose?: boolean }} [options] isVerbose: shows what the builder says
 * @returns {Promise<boolean>} whether out/ was stale and is built anew
 */
export async function provideBuild({ isVerbose = false } = {}) {
  if (isBuilt()) return false;
  await build({ isVerbose });
  return true;
}
