import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program that opens an address, which goes behind its arguments. */
interface Opener {
  readonly command: string;
  readonly args: readonly string[];
}

/** Returns a function that opens the default browser; null without a display. */
export function browserOpener({
  platform,
  env,
}: Pick<NodeJS.Process, 'platform' | 'env'> = process): Opener | null {
  if (platform === 'darwin') return { command: 'open', args: [] };
  // Not `start`: it belongs to cmd.exe, which takes "&" in an address for the end of the command.
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  // Without a display xdg-open starts a text browser in this terminal; BROWSER names one that lives elsewhere.
  const canShow = env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['BROWSER'];
  return canShow ? { command: 'xdg-open', args: [] } : null;
}

/** Opens an address in the default browser. Resolves with whether a program for that could be started. */
export async function openInBrowser(url: string, opener: Opener | null = browserOpener()): Promise<boolean> {
  if (!opener) return false;
  const child = spawn(opener.command, [...opener.args, url], { detached: true, stdio: 'ignore' });
  child.unref();
  return once(child, 'spawn').then(
    () => true,
    () => false,
  );
}
