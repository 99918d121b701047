import { UsageError } from '../base/errors.ts';
import { VERSION } from '../base/version.ts';
import { check, CHECK_FLAGS_HELP } from './check.ts';
import { clear, CLEAR_FLAGS_HELP } from './clear.ts';
import { configOf } from './serve/configure.ts';
import {
  CONTROL_FLAGS_HELP,
  open,
  OPEN_FLAGS_HELP,
  status,
  stop,
  type ControlCommand,
} from './ask/control.ts';
import { parseServeFlags, SERVE_FLAGS_HELP } from './flags.ts';
import { LAB_FLAGS_HELP, labCheck, labRotateKey, ROTATE_KEY_FLAGS_HELP } from './lab.ts';
import { push, PUSH_FLAGS_HELP } from './ask/push.ts';
import { RECORDS_FLAGS_HELP, recordsExport } from './ask/records.ts';
import { isNearly } from './slips.ts';

export interface Command {
  /** One word or two. */
  readonly name: string;
  readonly does: string;
  readonly flags: string;
  /** Meaning of its exit codes beside 0 and 2. */
  readonly exits: string;
  readonly run: ControlCommand;
}

const ASKED = '3 where the service refuses, 4 where none can be reached';

/** `here` is the folder of the script that runs (configure.ts). */
export const commandsIn = (here: string): readonly Command[] => [
  {
    name: 'serve',
    does: 'runs the service until it is told to stop',
    flags: SERVE_FLAGS_HELP,
    exits: '1 where it cannot start',
    run: async (args, { print }) => {
      const served = parseServeFlags(args);
      // All of the service: a command that only asks one need not load it.
      const { runHeadless } = await import('./serve/serve.ts');
      return runHeadless({
        config: configOf(served, here),
        readyFile: served.readyFile,
        drainMs: served.drainMs,
        print,
      });
    },
  },
  {
    name: 'open',
    does: 'opens the running app, or prints a fresh address of its console',
    flags: OPEN_FLAGS_HELP,
    exits: ASKED,
    run: open,
  },
  {
    name: 'status',
    does: 'says what runs on a data directory, and where',
    flags: CONTROL_FLAGS_HELP,
    exits: ASKED,
    run: status,
  },
  {
    name: 'stop',
    does: 'stops it, and is back when it has stopped',
    flags: CONTROL_FLAGS_HELP,
    exits: `1 where it does not stop, ${ASKED}`,
    run: stop,
  },
  {
    name: 'records export',
    does: "writes a device's records as a file",
    flags: RECORDS_FLAGS_HELP,
    exits: `1 where it was cut off, ${ASKED}`,
    run: recordsExport,
  },
  {
    name: 'push',
    does: 'sends what the service has to a lab, by a plan',
    flags: PUSH_FLAGS_HELP,
    exits: `1 where not all of it could be sent, ${ASKED}`,
    run: push,
  },
  {
    name: 'check',
    does: 'reads every byte of the records and says what is damaged; a running service does it beside its work',
    flags: CHECK_FLAGS_HELP,
    exits: '1 where something is damaged, 3 where --repair meets a service, 4 where one cannot be asked',
    run: check,
  },
  {
    name: 'clear',
    does: 'removes what stays after the app was uninstalled, for good, after a question',
    flags: CLEAR_FLAGS_HELP,
    exits: '1 where nothing was removed, or not all of it, 3 where something uses the directory',
    run: clear,
  },
  {
    name: 'lab check',
    does: 'says how the database of a lab is, and what is to be mended',
    flags: LAB_FLAGS_HELP,
    exits: '1 where something is to be mended, 4 where the database lets nobody in',
    run: labCheck,
  },
  {
    name: 'lab rotate-key',
    does: 'gives the secrets of a lab another key, while its services are stopped',
    flags: ROTATE_KEY_FLAGS_HELP,
    exits: '1 where the old key does not fit, 3 where a service runs, 4 where the database lets nobody in',
    run: labRotateKey,
  },
];

/** Returns the command that words begin with, and what follows. Throws UsageError, which names the nearest. */
export function commandOf(
  commands: readonly Command[],
  args: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } {
  const found = commands.find(({ name }) => name.split(' ').every((word, i) => args[i] === word));
  if (found) return { command: found, rest: args.slice(found.name.split(' ').length) };
  const [word = '', next] = args;
  const group = commands
    .filter(({ name }) => name.startsWith(`${word} `))
    .map(({ name }) => name.slice(word.length + 1));
  if (group.length > 0)
    throw new UsageError(
      `fieldbench ${word} takes ${group.map((one) => `"${one}"`).join(', ')}, got ${next === undefined ? 'nothing' : `"${next}"`}. See fieldbench --help.`,
    );
  const near = commands.map(({ name }) => name).filter((name) => isNearly(word, name.split(' ')[0] ?? ''));
  const meant = near.length === 0 ? '' : ` Did you mean "${near.join('" or "')}"?`;
  throw new UsageError(`There is no command "${word}".${meant} See fieldbench --help.`);
}

/** Returns the text of `fieldbench --help`. */
export const helpOfAll = (
  commands: readonly Command[],
): string => `Fieldbench ${VERSION}: a /v2 device service over local files.

${commands.map(({ name, does }) => `  fieldbench ${name.padEnd(15)} ${does}`).join('\n')}
  fieldbench --version       prints the version

fieldbench COMMAND --help says the flags of one. Exit codes: 0 done, 1 failed, 2 wrong use, 3 refused by the
service, 4 not reachable.
`;

export const helpOf = ({ name, does, flags, exits }: Command): string => `fieldbench ${name} [flags]: ${does}.

${flags}

It exits with 0, 2 where the line makes no sense, ${exits}.
`;
