import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  Menu,
  nativeTheme,
  net,
  powerMonitor,
  powerSaveBlocker,
  session,
  shell,
  utilityProcess,
} from 'electron';
import { configOf } from '#core/cli/serve/configure.ts';
import { keepReadyFile, removeStaleReadyFile } from '#core/cli/serve/ready-file.ts';
import { createLogger } from '#core/base/logger.ts';
import { startService, type Service } from '#core/service/service.ts';
import { VERSION } from '#core/base/version.ts';
import { appArguments, filesToOpen, readFlags } from './shell/start/arguments.ts';
import { UNDO_CHANNEL } from './shell/page/channel.ts';
import { tellOfDownloads } from './shell/page/downloads.ts';
import { createEnding } from './shell/end/ending.ts';
import { endAtCrash, showFailure } from './shell/end/failure.ts';
import { offerContextMenus } from './shell/page/context-menu.ts';
import { guardPages } from './shell/page/guard.ts';
import { commandIn, runCommand } from './shell/start/command.ts';
import { iconIn, introduce } from './shell/start/identity.ts';
import { heedOtherStarts, isOnlyInstance, saidInstead } from './shell/start/instance.ts';
import { openLogFile } from './shell/start/log-file.ts';
import { boundDumps } from './shell/help/crash-dumps.ts';
import { helpItems } from './shell/help/help-items.ts';
import { licencesFile } from './shell/help/licences-file.ts';
import { feedFile } from './shell/help/update-feed.ts';
import { createLeave } from './shell/end/leave.ts';
import { menuTemplate } from './shell/menu.ts';
import { OpenedFiles } from './shell/page/opened-files.ts';
import { keepTheme } from './shell/page/theme.ts';
import { tellOfChildren } from './shell/page/children.ts';
import { showHelp } from './shell/start/help.ts';
import { loginSetting } from './shell/start/login.ts';
import { openFilesOfMac } from './shell/start/open-file.ts';
import { createTray } from './shell/tray.ts';
import { utilityIsolates } from './shell/isolates.ts';
import { openFolder } from './shell/open-folder.ts';
import { outliveReaders } from './shell/start/output.ts';
import { keepBesideProgram, keepProfile, keepSpareProfile, removeOldProfile } from './shell/start/profile.ts';
import { registerAppScheme, serveRenderer } from './shell/page/protocol.ts';
import { closeAtSessionEnd, closeBeforeQuit, quitWhenAsked, quitWithLastWindow } from './shell/end/quit.ts';
import { startingPage } from './shell/page/starting-page.ts';
import { createShow } from './shell/window.ts';

/** Typing the password of a login takes as long as it takes: a keychain in use gets three minutes to be unlocked. */
const KEYCHAIN_PATIENCE_MS = 180_000;

const say = (line: string): void => void process.stderr.write(line);
let write = say;
const log = createLogger((line) => write(line));
const ending = createEnding(log);
let stepAside = () => {};
const words = { app, dialog, ending, log, stepAside: () => stepAside() };
const failed = (error: unknown) => void showFailure(error, words);

outliveReaders();
endAtCrash(process, words);
// Not awaited: an ESM main that waits for the app at its top waits forever (electron 40719).
run().catch(failed);

/** The desktop app: the service over one data directory, and a window on it. */
async function run(): Promise<void> {
  introduce(app);
  registerAppScheme();
  keepBesideProgram(app);
  stepAside = keepSpareProfile(app);
  const command = commandIn(process.argv, app.isPackaged);
  if (command !== null) return app.exit(await runCommand(command, import.meta.dirname, { app, dialog }));
  writeLog('fieldbench');
  const opened = new OpenedFiles();
  const openFiles = (paths: readonly string[]) => opened.add(paths);
  openFilesOfMac(app, openFiles);
  const args = appArguments(process.argv, app.isPackaged);
  if (args.includes('--help')) return showHelp(app, dialog);
  const flags = readFlags(args);
  const config = { ...configOf(flags, import.meta.dirname), keychainPatienceMs: KEYCHAIN_PATIENCE_MS };
  const profile = keepProfile(app, config.directory);
  // The first instance shows its window instead.
  if (!isOnlyInstance(app, profile.directory)) {
    log.info(saidInstead(config.directory, args));
    return app.exit(0);
  }
  const logFile = writeLog(`fieldbench-${profile.key}`);
  log.info(`Fieldbench ${VERSION} starts over ${config.directory}.`);
  tellOfChildren(app, log);
  // Crashes of Electron itself are kept on this machine, in the profile.
  crashReporter.start({ uploadToServer: false });
  const dumps = app.getPath('crashDumps');
  boundDumps(dumps, log);
  await app.whenReady();
  quitWhenAsked(app);

  let running: Service | null = null;
  if (config.rendererDirectory === null) throw new Error('The window is not built: npm run build.');
  serveRenderer(
    config.rendererDirectory,
    startingPage({ isKeychain: config.vault !== 'memory' && config.vault !== 'file' }),
    {
      licences: licencesFile({
        isPackaged: app.isPackaged,
        program: app.getPath('exe'),
        renderer: config.rendererDirectory,
      }),
      opened: (path) => opened.pathOf(path),
      saved: (path) => running?.takeFile(path) ?? null,
    },
  );
  guardPages();
  offerContextMenus(app);
  tellOfDownloads(session.defaultSession);
  if (flags.readyFile !== null) removeStaleReadyFile(flags.readyFile);

  const starting = startService(config, {
    log,
    host: { stop: () => app.quit(), show: () => show() },
    signal: ending.signal,
    startIsolate: utilityIsolates(utilityProcess, config.isolateScript),
  });
  ending.of(starting);
  starting.then(
    (service) => (running = service),
    // Who shows the window says why there is none.
    () => null,
  );
  closeBeforeQuit(app, ending);
  closeAtSessionEnd(app, powerMonitor, ending, log);
  quitWithLastWindow(app);
  const icon = iconIn(config.rendererDirectory);
  const tray = createTray({ icon, show: () => void show().catch(failed), quit: () => leave.quit() });
  // A Mac's Dock has the app anyway.
  const hidden = process.platform === 'darwin' ? () => {} : tray.show;
  const leave = createLeave({ app, dialog, log, starting, hidden, shown: tray.hide });
  const show = createShow({
    starting,
    icon,
    log,
    asks: {
      chooseTheme: keepTheme(nativeTheme, profile.directory, log),
      takeFiles: (contents, takes) => opened.take(contents, takes),
    },
    quit: () => leave.quit(),
    opened: (window, files) => leave.heedClose(window, files),
    used: (contents) => opened.use(contents),
    bringBack: () => leave.bringBack(),
  });
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate({
        platform: process.platform,
        isPackaged: app.isPackaged,
        openData: () => {
          openFolder(config.directory, 'data', { shell, dialog }).catch((error: unknown) =>
            log.error('The data folder could not be shown', error),
          );
        },
        quit: () => leave.quit(),
        undo: (window, direction) => {
          if (window instanceof BrowserWindow) window.webContents.send(UNDO_CHANNEL, direction);
        },
        help: helpItems({
          logFile,
          dumps,
          feed: feedFile(app.getPath('exe')),
          fetch: (url, init) => net.fetch(url, init),
          shell,
          dialog,
          clipboard,
          log,
        }),
        login: loginSetting(app, { flags: args, key: profile.key }),
      }),
    ),
  );
  heedOtherStarts(app, ending, show, failed, openFiles);
  openFiles(filesToOpen(process.argv, app.isPackaged));
  await show();
  const service = await starting;
  log.info(`Secrets are kept ${service.secrets.join('. ')}`);
  if (ending.isUnderWay) return;
  // Not before: until now an app of that version may have had the folder.
  void removeOldProfile(config.directory, log);
  // Devices send while nobody is at the machine: it neither sleeps by itself nor lets a hidden app nap.
  powerSaveBlocker.start('prevent-app-suspension');
  if (flags.readyFile !== null)
    await keepReadyFile(flags.readyFile, service, (error) =>
      log.error('The ready file could not be written', error),
    );
}

/** Writes the log to a file of this name from now on; on a Mac the apps of all data directories share the folder of logs. */
function writeLog(name: string): string {
  app.setAppLogsPath();
  const file = join(app.getPath('logs'), `${name}.log`);
  write = openLogFile(file, say);
  return file;
}
