import { chromium } from '@playwright/test';
import { findChromium } from '../../scripts/lib/chromium.mjs';

/** The browser that tests drive: FIELDBENCH_CHROMIUM, the system's, or Playwright's own. */
export const chromiumPath = (): string => findChromium() ?? chromium.executablePath();

/**
 * Has pages see that less motion is asked for: what moves is drawn many times, and is waited for. Windows of desktop apps are without
 * it, and move.
 */
export const STILL = '--force-prefers-reduced-motion';

/** Chromium's own sandbox does not start as root. */
export const sandboxFlags: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
