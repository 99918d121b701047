import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './lab-page.ts';

/* deploy/Dockerfile as a list of instructions, since no Docker runs here. */

export interface Instruction {
  /** In capitals. */
  readonly name: string;
  /** `--from=build` as ["from", "build"]. */
  readonly flags: ReadonlyMap<string, string>;
  /** Behind the flags. */
  readonly text: string;
}

/** One image of a file: from one FROM to the next. */
export interface Stage {
  readonly from: string;
  /** Null for the last one. */
  readonly as: string | null;
  readonly instructions: readonly Instruction[];
}

/** Throws where a line is no instruction. */
export function stagesOf(text: string): Stage[] {
  const lines = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll('\\\n', ' ');
  const all = lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : [instructionOf(line)]));
  const starts = all.flatMap(({ name }, at) => (name === 'FROM' ? [at] : []));
  if (starts[0] !== 0) throw new Error('A Dockerfile begins with FROM.');
  return starts.map((at, n) => {
    const [, from = '', as = null] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(all[at]!.text) ?? [];
    return { from, as, instructions: all.slice(at + 1, starts[n + 1]) };
  });
}

const KNOWN =
  /^(FROM|RUN|COPY|ADD|USER|WORKDIR|ENV|ARG|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD|LABEL|STOPSIGNAL|SHELL)$/;

function instructionOf(line: string): Instruction {
  const [, name = '', given = '', text = ''] = /^\s*(\w+)((?:\s+--[\w-]+=\S+)*)\s+(.*)$/.exec(line) ?? [];
  if (!KNOWN.test(name.toUpperCase())) throw new Error(`No instruction of a Dockerfile: ${line}`);
  const flags = Array.from(
    given.matchAll(/--([\w-]+)=(\S+)/g),
    ([, flag = '', value = '']): [string, string] => [flag, value],
  );
  return { name: name.toUpperCase(), flags: new Map(flags), text: text.trim() };
}

/** Returns the words of an instruction in exec form. Throws where it is in shell form, which gives signals to a shell. */
export function execForm({ name, text }: Instruction): string[] {
  const words: unknown = JSON.parse(text.slice(text.indexOf('[')));
  if (!Array.isArray(words)) throw new Error(`${name} is in shell form: ${text}`);
  return words.map(String);
}

/** What an image must not do; a sentence for each that it does. */
export function faultsOf(stages: readonly Stage[]): string[] {
  const last = stages.at(-1)!;
  const all = stages.flatMap(({ instructions }) => instructions);
  const of = (name: string) => last.instructions.filter((one) => one.name === name);
  const user = of('USER').at(-1)?.text ?? 'root';
  const faults: [boolean, string][] = [
    [stages.length < 2, 'it has one stage: what builds is in the image'],
    ...stages.map(({ from }): [boolean, string] => [
      !/^[\w./-]+:[\w.-]+@sha256:[\da-f]{64}$/.test(from) || from.includes(':latest'),
      `${from} is not pinned by a version and a digest`,
    ]),
    [!/^[1-9]\d*:[1-9]\d*$/.test(user), `it runs as ${user}: a number is known not to be root's`],
    [of('HEALTHCHECK').length !== 1, 'nothing says whether it is well'],
    [all.some(({ name }) => name === 'ADD'), 'ADD fetches addresses and unpacks archives: COPY does neither'],
    [
      /\b(curl|wget|apt-get|apk|pip)\b/.test(all.map(({ text }) => text).join('\n')),
      'it installs what nothing pins',
    ],
    [
      all.some(
        ({ name, text }) => /^(ENV|ARG)$/.test(name) && /key|token|secret|password|passphrase/i.test(text),
      ),
      'a secret is in a layer',
    ],
    [
      !of('COPY').some(({ text }) => /\/node-\*\/LICENSE /.test(text)),
      'Node.js is in the image without its licence',
    ],
    [of('COPY').some(({ flags }) => !flags.has('from')), 'files of whoever builds it are in the image'],
    [of('ENTRYPOINT').some(({ text }) => !text.startsWith('[')), 'a shell gets its signals'],
  ];
  return faults.flatMap(([isSo, fault]) => (isSo ? [fault] : []));
}

export const dockerfile = () => readFileSync(join(PROJECT, 'deploy/Dockerfile'), 'utf8');
