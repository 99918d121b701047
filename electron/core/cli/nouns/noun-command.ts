import type { parseArgs, ParseArgsOptionsConfig } from 'node:util';
import type { InputOf, OperationId, OutputOf } from '#shared/operations/index.ts';
import { ASKER_FLAGS, ASKER_FLAGS_HELP, askerOf, type Asker } from '../ask/asker.ts';
import type { ControlCommand } from '../ask/control.ts';
import type { Output } from '../output.ts';
import type { Loaded } from '../command.ts';
import type { Holdings } from '../names/look-up.ts';
import { holdingsOf } from '../ask/names-of-service.ts';
import { parseFlags, parseWord } from '../parse.ts';
import { printable } from '../printable.ts';

/* Commands that are an operation of the service each: `projects list`, `keys create`, and so on. */

type ValuesOf<T extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

/** A command line that was read, and the service that it is for. */
export interface Given<T extends ParseArgsOptionsConfig> extends Output {
  /** The word without a flag; empty where the command takes none, or none is given. */
  readonly word: string;
  readonly values: ValuesOf<T>;
  readonly isJson: boolean;
  readonly asker: Asker;
  /** Runs an operation; `flags`: by field of it, the flag that says it. Rejects with CommandError. */
  readonly ask: <Id extends OperationId>(
    id: Id,
    input: InputOf<Id>,
    flags?: Readonly<Record<string, string>>,
  ) => Promise<OutputOf<Id>>;
  readonly names: Holdings;
}

/** What a command found: as it is with --json, and in lines for people. */
export interface Found {
  readonly data: unknown;
  readonly lines: readonly string[];
  /** It was found to be otherwise than asked: the exit code is 1. */
  readonly failed?: boolean;
}

export interface NounCommand<T extends ParseArgsOptionsConfig> {
  /** The word without a flag, as people read it, such as "a NAME"; absent: it takes none. */
  readonly word?: string;
  /** Whether it may be left away. */
  readonly isWordOptional?: boolean;
  readonly flags: T;
  /** Lines about word and flags; empty for none. */
  readonly help: string;
  /** A line that works, behind `fieldbench`. */
  readonly example: string;
  /** Resolves with null where it printed all itself, as what streams does. */
  readonly run: (given: Given<T>) => Promise<Found | null>;
}

const COMMON = { ...ASKER_FLAGS, json: { type: 'boolean' } } as const;

/** Returns a command for the table of all. */
export function nounCommand<const T extends ParseArgsOptionsConfig>(command: NounCommand<T>): Loaded {
  const { word: what, isWordOptional = false, flags, help, example, run } = command;
  const all = { ...flags, ...COMMON };
  const runCommand: ControlCommand = async (args, output) => {
    const { word, values } =
      what === undefined
        ? { word: '', values: parseFlags(args, all) }
        : parseWord(args, all, isWordOptional ? null : what);
    const common = values as ValuesOf<typeof COMMON>;
    const asker = await askerOf(common);
    try {
      const ask: Given<T>['ask'] = (id, input, flagsOf) => asker.data(id, input, flagsOf);
      const names = holdingsOf((id, input) => asker.operation(id, input));
      const isJson = common.json ?? false;
      const found = await run({ ...output, word, values, isJson, asker, ask, names });
      if (found === null) return 0;
      const lines = isJson ? [JSON.stringify(found.data)] : found.lines.map(printable);
      for (const line of lines) output.print(line);
      return found.failed === true ? 1 : 0;
    } finally {
      asker.close();
    }
  };
  const text = [
    ...(help === '' ? [] : [help]),
    ASKER_FLAGS_HELP,
    '  --json              for machines, errors too',
    '',
    `  fieldbench ${example}`,
  ].join('\n');
  return { flags: text, run: runCommand };
}

/** Rows as lines, the columns below each other; the last one as long as it is. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '),
  );
}
