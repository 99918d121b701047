import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NativeTheme } from 'electron';
import type { Logger } from '#core/base/logger.ts';
import type { Theme } from '#shared/bridge/bridge.ts';

const THEMES: readonly unknown[] = ['system', 'light', 'dark'] satisfies Theme[];

export const isTheme = (value: unknown): value is Theme => THEMES.includes(value);

/**
 * Has frame, menus and boxes follow the theme chosen in a page. Pages remember it where only pages look, so a file of the
 * profile keeps it for the next start, before any page is drawn. Returns the setter for pages.
 */
export function keepTheme(
  nativeTheme: Pick<NativeTheme, 'themeSource'>,
  profile: string,
  log: Pick<Logger, 'warn'>,
): (theme: Theme) => void {
  const file = join(profile, 'theme');
  const kept = read(file);
  if (isTheme(kept)) nativeTheme.themeSource = kept;
  return (theme) => {
    if (nativeTheme.themeSource === theme) return;
    nativeTheme.themeSource = theme;
    try {
      writeFileSync(file, theme);
    } catch (error) {
      log.warn(
        `The theme could not be kept in ${file}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };
}

/** Null where none was chosen yet. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
