import { startProgram } from '../program.ts';
import { appFlags, CLI, type StartApp } from './host.ts';

/** The service alone; its window is one of the browser that tests share. */
export const startConsole: StartApp = async ({ files, watch, started, browser }) => {
  const command = [process.execPath, CLI, 'serve', ...appFlags(files)];
  const program = startProgram(command);
  started.defer(() => program.stop());
  const ready = await program.ready(files.readyFile);
  if (ready.console_url === null) throw new Error(`The service has no console:\n${program.output()}`);
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 } });
  started.defer(() => context.close());
  const page = await context.newPage();
  watch(page);
  await page.goto(ready.console_url);
  return { page, ready, command };
};
