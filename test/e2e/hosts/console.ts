import { chromium } from '@playwright/test';
import { chromiumPath, sandboxFlags } from '../chromium.ts';
import { startProgram } from '../program.ts';
import { appFlags, CLI, type StartApp } from './host.ts';

/** The service alone; its window is a browser's. */
export const startConsole: StartApp = async ({ files, watch, started }) => {
  const command = [process.execPath, CLI, 'serve', ...appFlags(files)];
  const program = startProgram(command);
  started.defer(() => program.stop());
  const ready = await program.ready(files.readyFile);
  if (ready.console_url === null) throw new Error(`The service has no console:\n${program.output()}`);
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...sandboxFlags] });
  started.defer(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  watch(page);
  await page.goto(ready.console_url);
  return { page, ready, command };
};
