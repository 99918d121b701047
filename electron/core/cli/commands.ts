import { UsageError } from '../base/errors.ts';
import { VERSION } from '../base/version.ts';
import type { ControlCommand } from './ask/control.ts';
import type { Command } from './command.ts';
import { nounCommands } from './nouns/index.ts';
import { isNearly, nearestOf } from '../base/slips.ts';

const ASKED = '3 where the service refuses, 4 where none can be reached';

const control = () => import('./ask/control.ts');
const lab = () => import('./lab.ts');

/** `here` is the folder of the script that runs (configure.ts). */
export const commandsIn = (here: string): readonly Command[] => [
  {
    name: 'serve',
    does: 'runs the service until it is told to stop',
    exits: '1 where it cannot start',
    load: async () => {
      const { parseServeFlags, SERVE_FLAGS_HELP } = await import('./flags.ts');
      const run: ControlCommand = async (args, { print }) => {
        const served = parseServeFlags(args);
        const { configOf } = await import('./serve/configure.ts');
        const { runHeadless } = await import('./serve/serve.ts');
        return runHeadless({
          config: configOf(served, here),
          readyFile: served.readyFile,
          drainMs: served.drainMs,
          greeting: served.greeting,
          print,
        });
      };
      const example = 'fieldbench serve --port 0 --http-port 0 --mqtt-port 0 --ready-file ready.json';
      return { flags: `${SERVE_FLAGS_HELP}\n\n  ${example}`, run };
    },
  },
  {
    name: 'open',
    does: 'opens the running app, or prints a fresh address of its console',
    exits: ASKED,
    load: async () => {
      const { open, OPEN_FLAGS_HELP } = await control();
      return { flags: OPEN_FLAGS_HELP, run: open };
    },
  },
  {
    name: 'status',
    does: 'says what runs on a data directory, and where',
    exits: ASKED,
    load: async () => {
      const { status, STATUS_FLAGS_HELP } = await control();
      return { flags: STATUS_FLAGS_HELP, run: status };
    },
  },
  {
    name: 'stop',
    does: 'stops it, and is back when it has stopped',
    exits: `1 where it does not stop, ${ASKED}`,
    load: async () => {
      const { stop, STOP_FLAGS_HELP } = await control();
      return { flags: STOP_FLAGS_HELP, run: stop };
    },
  },
  {
    name: 'records export',
    does: "writes a device's records as a file",
    exits: `1 where it was cut off, ${ASKED}`,
    load: async () => {
      const { recordsExport, RECORDS_FLAGS_HELP } = await import('./ask/records.ts');
      return { flags: RECORDS_FLAGS_HELP, run: recordsExport };
    },
  },
  ...nounCommands(ASKED),
  {
    name: 'handover',
    does: 'writes devices as a signed package that its reader can check',
    exits: `1 where the file is there already or cannot be written, ${ASKED}`,
    load: async () => {
      const { handover, HANDOVER_FLAGS_HELP } = await import('./ask/hand-over.ts');
      return { flags: HANDOVER_FLAGS_HELP, run: handover };
    },
  },
  {
    name: 'backup',
    does: 'writes all that the service has as one file, and reads it again',
    exits: `1 where the file is there already or cannot be written, ${ASKED}`,
    load: async () => {
      const { backup, BACKUP_FLAGS_HELP } = await import('./ask/backup.ts');
      return { flags: BACKUP_FLAGS_HELP, run: backup };
    },
  },
  {
    name: 'restore',
    does: 'brings back what such a file has and is not there',
    exits: `1 where there is no such file, ${ASKED}`,
    load: async () => {
      const { restore, RESTORE_FLAGS_HELP } = await import('./ask/backup.ts');
      return { flags: RESTORE_FLAGS_HELP, run: restore };
    },
  },
  {
    name: 'push',
    does: 'sends what the service has to a lab, by a plan',
    exits: `1 where not all of it could be sent, ${ASKED}`,
    load: async () => {
      const { push, PUSH_FLAGS_HELP } = await import('./ask/push.ts');
      return { flags: PUSH_FLAGS_HELP, run: push };
    },
  },
  {
    name: 'check',
    does: 'reads every byte of the records and says what is damaged; a running service does it beside its work',
    exits: '1 where something is damaged, 3 where --repair meets a service, 4 where one cannot be asked',
    load: async () => {
      const { check, CHECK_FLAGS_HELP } = await import('./check.ts');
      return { flags: CHECK_FLAGS_HELP, run: check };
    },
  },
  {
    name: 'verify',
    does: 'says whether an audit trail, or a package that was handed over, is as it was written',
    exits: '1 where it is not, 3 where the service refuses, 4 where one cannot be asked',
    load: async () => {
      const { verify, VERIFY_FLAGS_HELP } = await import('./verify.ts');
      return { flags: VERIFY_FLAGS_HELP, run: verify };
    },
  },
  {
    name: 'clear',
    does: 'removes what stays after the app was uninstalled, for good, after a question',
    exits: '1 where nothing was removed, or not all of it, 3 where something uses the directory',
    load: async () => {
      const { clear, CLEAR_FLAGS_HELP } = await import('./clear.ts');
      return { flags: CLEAR_FLAGS_HELP, run: clear };
    },
  },
  {
    name: 'completion',
    does: 'prints what makes a shell complete commands and flags',
    exits: '1 where it fails',
    load: async () => {
      const { completionOf } = await import('./completion.ts');
      return completionOf(() => commandsIn(here));
    },
  },
  {
    name: 'lab check',
    does: 'says how the database of a lab is, and what is to be mended',
    exits: '1 where something is to be mended, 4 where the database lets nobody in',
    load: async () => {
      const { labCheck, LAB_FLAGS_HELP } = await lab();
      return { flags: LAB_FLAGS_HELP, run: labCheck };
    },
  },
  {
    name: 'lab rotate-key',
    does: 'gives the secrets of a lab another key, while its services are stopped',
    exits: '1 where the old key does not fit, 3 where a service runs, 4 where the database lets nobody in',
    load: async () => {
      const { labRotateKey, ROTATE_KEY_FLAGS_HELP } = await lab();
      return { flags: ROTATE_KEY_FLAGS_HELP, run: labRotateKey };
    },
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
  if (group.length > 0) {
    const nearest = next === undefined ? null : nearestOf(next, group);
    const meant = nearest === null ? '' : ` Did you mean "${word} ${nearest}"?`;
    throw new UsageError(
      `fieldbench ${word} takes ${group.map((one) => `"${one}"`).join(', ')}, got ${next === undefined ? 'nothing' : `"${next}"`}.${meant} See fieldbench --help.`,
    );
  }
  const near = commands.map(({ name }) => name).filter((name) => isNearly(word, name.split(' ')[0] ?? ''));
  const exact = near.filter((name) => name.split(' ')[1] === next);
  const meant =
    near.length === 0 ? '' : ` Did you mean "${(exact.length > 0 ? exact : near).join('" or "')}"?`;
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

/** Resolves with the text of `fieldbench COMMAND --help`. */
export async function helpOf({ name, does, exits, load }: Command): Promise<string> {
  const { flags } = await load();
  return `fieldbench ${name} [flags]: ${does}.

${flags}

It exits with 0, 2 where the line makes no sense, ${exits}.
`;
}
