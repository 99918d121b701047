import type { Writable } from 'node:stream';
import { explain, UnreachableError, UsageError } from '../base/errors.ts';
import { VERSION } from '../base/version.ts';
import { commandOf, commandsIn, helpOf, helpOfAll } from './commands.ts';
import { CommandError } from './refusal.ts';

const isHelp = (word: string) => word === '--help' || word === '-h';

/**
 * Runs the command line of a script in the folder `here`; resolves with the exit code: 0; 1 where it cannot start, or fails;
 * 2 where the line makes no sense; 3 where the service refuses; 4 where none can be reached. Says why itself.
 */
export async function runCommandLine(args: readonly string[], here: string): Promise<number> {
  const streams = [process.stdout, process.stderr];
  for (const stream of streams) stream.on('error', (error) => outlive(stream, error));
  const code = await run(args, here).catch((error: unknown) => fail(error, args));
  // Who ends the process then cuts off nothing.
  await Promise.all(streams.map(written));
  return code;
}

/** A reader that has gone, as `| head`, is no failure; a full disk is one, where nobody else listens. */
function outlive(stream: Writable, error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && stream.listenerCount('error') === 1) throw error;
}

/** Resolves once all that was written to a stream has left the process, or nobody reads it any more. */
function written(stream: Writable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (stream.destroyed || stream.writableLength === 0) return Promise.resolve();
  stream.once('error', () => resolve());
  stream.once('close', resolve);
  stream.write('', () => resolve());
  return promise;
}

async function run(args: readonly string[], here: string): Promise<number> {
  const commands = commandsIn(here);
  const [first, second = ''] = args;
  if (first === undefined || isHelp(first)) return print(helpOfAll(commands));
  if (first === '--version' || first === '-v') return print(`${VERSION}\n`);
  const group = isHelp(second) ? commands.filter(({ name }) => name.startsWith(`${first} `)) : [];
  if (group.length > 0) return print((await Promise.all(group.map(helpOf))).join('\n'));
  const { command, rest } = commandOf(commands, args);
  if (rest.some(isHelp)) return print(await helpOf(command));
  const { run: runCommand } = await command.load();
  return runCommand(rest, { print: printLine, remark });
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

const printLine = (line: string) => void process.stdout.write(`${line}\n`);

const remark = (line: string) => void process.stderr.write(`${line}\n`);

/** Prints why a command failed, as JSON where that was asked for; returns the exit code. */
function fail(error: unknown, args: readonly string[]): number {
  const { message, exit_code } = failureOf(error);
  if (wantsJson(args)) printLine(JSON.stringify({ error: { exit_code, message } }));
  else remark(`fieldbench: ${message}`);
  return exit_code;
}

/** Returns what a command that failed says, and its exit code. */
export const failureOf = (error: unknown): { readonly message: string; readonly exit_code: number } => ({
  message: error instanceof CommandError ? error.message : explain(error),
  exit_code: codeOf(error),
});

function codeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof UnreachableError) return 4;
  return error instanceof UsageError ? 2 : 1;
}

/** A file that goes to stdout has nothing but its bytes there. */
const wantsJson = (args: readonly string[]) =>
  args.includes('--json') && !args.includes('--out=-') && args[args.indexOf('--out') + 1] !== '-';
