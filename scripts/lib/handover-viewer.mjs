// The viewer of pages that are handed over (electron/core/handover/page/): one script and one style, for the page itself.
import { readFileSync } from 'node:fs';
import { build } from 'vite';

/** What ends a script of a page, or begins what its parser reads otherwise than a browser's engine does. */
const UNFIT = /<\/script|<!--|\r|\0/i;

/**
 * Builds the same bytes of the same sources.
 * @returns {Promise<string>} JSON: script, style and the licences of the libraries in it
 */
export async function handoverViewer() {
  const built = await build({
    configFile: false,
    root: 'renderer/handover',
    logLevel: 'warn',
    build: {
      write: false,
      minify: true,
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: 'renderer/handover/main.ts', output: { format: 'iife' } },
    },
  });
  const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (
    Array.isArray(built) ? built[0] : built
  );
  const [script, ...chunks] = output.filter((one) => one.type === 'chunk').map(({ code }) => code.trim());
  const styles = output.flatMap((one) =>
    one.type === 'asset' && one.fileName.endsWith('.css') ? [String(one.source).trim()] : [],
  );
  const style = styles.join('\n');
  if (script === undefined || chunks.length > 0) throw new Error('The viewer is more than one script.');
  if (UNFIT.test(script) || /<\/style|\r|\0/i.test(style))
    throw new Error('The viewer holds what a page takes for its own markup.');
  const licences = `uPlot, in the script above:\n\n${readFileSync('node_modules/uplot/LICENSE', 'utf8').trim()}`;
  return JSON.stringify({ script, style, licences });
}
