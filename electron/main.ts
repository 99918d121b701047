import { app } from 'electron';
import { configOf } from '#core/cli/configure.ts';
import { parseServeFlags, SERVE_FLAGS_HELP } from '#core/cli/flags.ts';
import { readyInfo, removeStaleReadyFile, writeReadyFile } from '#core/cli/ready-file.ts';
import { createLogger } from '#core/logger.ts';
import { startService } from '#core/service.ts';
import { VERSION } from '#core/version.ts';
import { appArguments } from './shell/arguments.ts';
import { showFailure } from './shell/failure.ts';
import { guardPages } from './shell/guard.ts';
import { installMenu } from './shell/menu.ts';
import { keepProfileIn } from './shell/profile.ts';
import { registerAppScheme, serveRenderer } from './shell/protocol.ts';
import { closeBeforeQuit, quitWithLastWindow } from './shell/quit.ts';
import { showWindow } from './shell/window.ts';

// Not awaited: an ESM main that waits for the app at its top waits forever (electron 40719).
run().catch(showFailure);

/** The desktop app: the service over one data directory, and a window on it. */
async function run(): Promise<void> {
  app.setName('Fieldbench');
  registerAppScheme();
  const args = appArguments(process.argv, app.isPackaged);
  if (args.includes('--help')) {
    process.stdout.write(`Fieldbench ${VERSION}\n\n${SERVE_FLAGS_HELP}\n`);
    return app.exit(0);
  }
  const flags = parseServeFlags(args);
  const config = configOf(flags, import.meta.dirname);
  keepProfileIn(config.directory);
  // The first instance shows its window instead.
  if (!app.requestSingleInstanceLock()) return app.exit(0);
  await app.whenReady();

  if (config.rendererDirectory === null) throw new Error('The window is not built: npm run build.');
  serveRenderer(config.rendererDirectory);
  guardPages();
  installMenu({ dataDirectory: config.directory });
  if (flags.readyFile !== null) removeStaleReadyFile(flags.readyFile);

  const log = createLogger((line) => process.stderr.write(line));
  const starting = startService(config, { log });
  closeBeforeQuit(starting, log);
  const service = await starting;

  const show = () => showWindow(service, log);
  app.on('second-instance', () => void show());
  app.on('activate', () => void show());
  quitWithLastWindow();
  await show();
  if (flags.readyFile !== null) await writeReadyFile(flags.readyFile, readyInfo(service));
}
