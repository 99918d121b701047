/**
 * The app's own flags: what comes after the program, and in development after the script that Electron was given.
 * Switches for Chromium go before that script, or stay in its environment.
 */
export function appArguments(argv: readonly string[], isPackaged: boolean): readonly string[] {
  const [, ...args] = argv;
  return isPackaged ? args : args.slice(args.findIndex((arg) => !arg.startsWith('-')) + 1);
}
