#!/usr/bin/env node
import { CHECK_FLAGS_HELP, parseCheckFlags, runCheck } from './check.ts';
import { configOf } from './configure.ts';
import { CONTROL_COMMANDS, CONTROL_FLAGS_HELP } from './control.ts';
import { parseServeFlags, SERVE_FLAGS_HELP } from './flags.ts';
import { explain, UnreachableError, UsageError } from '../errors.ts';
import { lab, LAB_FLAGS_HELP } from './lab.ts';
import { push, PUSH_FLAGS_HELP } from './push.ts';
import { records, RECORDS_FLAGS_HELP } from './records.ts';
import { runHeadless } from './serve.ts';
import { completeLanguage } from '../language.ts';
import { VERSION } from '../version.ts';

const HELP = `Fieldbench ${VERSION}: a /v2 device service over local files.

  fieldbench serve [flags]   runs the service until it is told to stop
  fieldbench open [flags]    opens the running app, or prints a fresh address of its console
  fieldbench status [flags]  says what runs on a data directory, and where
  fieldbench stop [flags]    stops it, and is back when it has stopped
  fieldbench records export [flags]
                             writes a device's records as a file
  fieldbench push [flags]    sends what the service has to a lab, by a plan
  fieldbench check [flags]   reads every byte of the records and says what is damaged
  fieldbench lab check [flags]
                             says how the database of a lab is, and what is to be mended
  fieldbench --version       prints the version
  fieldbench --help          prints this

Flags of serve, with their defaults:
${SERVE_FLAGS_HELP}

Flags of open, status and stop; they exit with 3 where the service refuses, 4 where none can be reached:
${CONTROL_FLAGS_HELP}

Flags of records export; it exits with 0, 1 where it was cut off, or as open does:
${RECORDS_FLAGS_HELP}

Flags of push; it exits with 0, 1 where not all of it could be sent, or as open does:
${PUSH_FLAGS_HELP}

Flags of check; it exits with 0, or 1 where something is damaged:
${CHECK_FLAGS_HELP}

Flags of lab check; it exits with 0, 1 where something is to be mended, 4 where the database lets nobody in:
${LAB_FLAGS_HELP}
`;

/**
 * Runs the command line; resolves with the exit code: 0; 1 where it cannot start, or fails; 2 where the line makes no
 * sense; 3 where the service refuses; 4 where none can be reached.
 */
async function run(args: readonly string[]): Promise<number> {
  const [command, ...flags] = args;
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) return print(HELP);
  if (command === '--version' || command === '-v') return print(`${VERSION}\n`);
  const control = CONTROL_COMMANDS.get(command);
  if (control) return control(flags, { print: printLine, remark });
  if (command === 'records') return records(flags, { print: printLine, remark });
  if (command === 'lab') return lab(flags, printLine);
  if (command === 'push') return push(flags, { print: printLine, remark });
  if (command === 'check') return runCheck(parseCheckFlags(flags), printLine);
  if (command !== 'serve') throw new UsageError(`There is no command "${command}". See --help.`);
  const served = parseServeFlags(flags);
  return runHeadless({
    config: configOf(served, import.meta.dirname),
    readyFile: served.readyFile,
    print: printLine,
  });
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

const printLine = (line: string) => void process.stdout.write(`${line}\n`);

const remark = (line: string) => void process.stderr.write(`${line}\n`);

/** Says why it ended; returns the exit code. */
function fail(error: unknown): number {
  process.stderr.write(`fieldbench: ${explain(error)}\n`);
  if (error instanceof UnreachableError) return 4;
  return error instanceof UsageError ? 2 : 1;
}

await completeLanguage();
// Handles of what is still closing must not keep a process that has said what there was to say.
process.exit(await run(process.argv.slice(2)).catch(fail));
