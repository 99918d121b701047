import { join } from 'node:path';
import { SERVICES } from '../database.ts';
import { startProgram, type Ready } from '../program.ts';
import { appFiles, appFlags, CLI, type AppFiles, type StartApp } from './host.ts';

/** The service alone; its window is one of the browser that tests share. */
export const startConsole: StartApp = async ({ files, watch, started, browser }) => {
  const command = [process.execPath, CLI, 'serve', ...appFlags(files)];
  const program = startProgram(command);
  started.defer(() => program.stop());
  const ready = await program.ready(files.readyFile);
  if (ready.console_url === null) throw new Error(`The service has no console:\n${program.output()}`);
  const others: Ready[] = [];
  for (let n = 1; n < SERVICES; n++) others.push(await startBeside(files, n, started));
  // A click may write to the clipboard everywhere; Chromium's headless shell asks nobody and refuses.
  const permissions = ['clipboard-write'];
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, permissions });
  started.defer(() => context.close());
  const page = await context.newPage();
  watch(page);
  await page.goto(ready.console_url);
  return { page, ready, command, others };
};

/** Another service over the same database, with a data directory of its own. */
async function startBeside(
  { dataDirectory, vault, store }: AppFiles,
  n: number,
  started: AsyncDisposableStack,
): Promise<Ready> {
  const files = appFiles(join(dataDirectory, `../beside-${n}`), vault, store);
  const program = startProgram([process.execPath, CLI, 'serve', ...appFlags(files)]);
  started.defer(() => program.stop());
  return program.ready(files.readyFile);
}
