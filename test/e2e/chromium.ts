import { accessSync, constants } from 'node:fs';
import { chromium } from '@playwright/test';

/** The browser that tests drive: FIELDBENCH_CHROMIUM, the system's, or Playwright's own. */
export function chromiumPath(): string {
  const candidates = [process.env['FIELDBENCH_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
  return candidates.find((path) => path !== undefined && isExecutable(path)) ?? chromium.executablePath();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Chromium's own sandbox does not start as root. */
export const sandboxFlags: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
