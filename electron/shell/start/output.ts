/**
 * The app outlives the terminal or launcher that reads its output (EPIPE, EIO), and a full disk to which that goes.
 * There is nowhere to tell it but the log file (log-file.ts), which has every line that could not be written here.
 */
export function outliveReaders(
  outputs: readonly Pick<NodeJS.WriteStream, 'on'>[] = [process.stdout, process.stderr],
): void {
  for (const output of outputs) output.on('error', () => undefined);
}
