/* Runs an Electron app's main script on the stand-in: node run.ts out/main/main.js [flags] */
import { createRequire, registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isOn } from './switches.ts';

const [main, ...flags] = process.argv.slice(2);
if (main === undefined) throw new Error('Usage: node run.ts <main script> [flags]');
process.env['FIELDBENCH_STAND_IN_MAIN'] = resolve(main);
// An installed app is a program of its own; in development Electron gets the script.
const argv = isOn('packaged') ? flags : [resolve(main), ...flags];

// Of an installed app the program is its own, and lies beside what it was installed with.
const program = process.env['FIELDBENCH_STAND_IN_PROGRAM'];
if (program !== undefined) Object.defineProperty(process, 'execPath', { value: program });
process.argv = [process.execPath, ...argv];

// What Electron says of itself to code that asks where it runs.
const { version } = createRequire(import.meta.url)('electron/package.json') as { readonly version: string };
Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: version } });
Object.defineProperty(process, 'type', { value: 'browser' });

const standIn = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});

await import(pathToFileURL(resolve(main)).href);
const { app } = (await import(standIn)) as typeof import('./electron.ts');
app.start();
