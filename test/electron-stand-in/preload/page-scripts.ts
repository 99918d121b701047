import { createCodec } from '../clone.ts';
import { heedOccasions, OCCASION } from '../occasions.ts';
import { createMembrane, openIsolatedWorld, openMainWorld } from '../worlds.ts';

export const ISOLATED_WORLD = 'Electron Isolated Context';
/** How the isolated world calls the main process, and how it is called. */
export const BINDING = '__standInSend';
export const DELIVER = '__standInDeliver';

/** A preload runs in the main frame only (nodeIntegrationInSubFrames is refused). */
const inMainFrame = (code: string) => `if (window === window.top) (() => {\n${code}\n})();`;

/** The script of the page's own world; it must be added before the preload's. */
export function mainWorldScript(secret: string): string {
  return inMainFrame(`
    const membrane = (${createMembrane.toString()})('${secret}', '${secret}-main', '${secret}-isolated');
    (${openMainWorld.toString()})('${secret}', membrane);
    (${heedOccasions.toString()})('${secret}');`);
}

/** The script of the isolated world: the preload as CommonJS, with `require` and `module` and no other Node. */
export function isolatedWorldScript(secret: string, preload: string): string {
  return inMainFrame(`
    const send = globalThis.${BINDING};
    delete globalThis.${BINDING};
    const membrane = (${createMembrane.toString()})('${secret}', '${secret}-isolated', '${secret}-main');
    const codec = (${createCodec.toString()})();
    const { require, deliver } = (${openIsolatedWorld.toString()})('${secret}', membrane, codec, send);
    globalThis.${DELIVER} = deliver;
    const { ipcRenderer } = require('electron');
    window.addEventListener('${secret}-occasion', ({ detail }) => ipcRenderer.send('${OCCASION}', detail));
    ipcRenderer.on('${OCCASION}', (_event, detail) =>
      window.dispatchEvent(new CustomEvent('${secret}-granted', { detail })));
    const module = { exports: {} };
    (function (exports, require, module) {\n${preload}\n})(module.exports, require, module);`);
}
