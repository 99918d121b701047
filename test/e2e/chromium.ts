import { chromium } from '@playwright/test';
import { findChromium } from '../../scripts/lib/chromium.mjs';

/** The browser that tests drive: FIELDBENCH_CHROMIUM, the system's, or Playwright's own. */
export const chromiumPath = (): string => findChromium() ?? chromium.executablePath();

/** Chromium's own sandbox does not start as root. */
export const sandboxFlags: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
