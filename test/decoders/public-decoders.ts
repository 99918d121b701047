import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';
import { ENTRY, programOf } from '#core/functions/decoder-glue.ts';
import { openSandbox } from '../helpers/functions/sandbox.ts';

/*
 * Decoders of makers against the examples that they come with: `npm run decoders -- FOLDER…`, where a folder is a clone of a public
 * catalogue. Two layouts are known: `<driver>/{index.js,examples.json}` (ThingPark) and `codecs/{NAME.js,test_decode_NAME.json}`
 * (ChirpStack). A decoder is right where each of its examples gives the answer beside it.
 */

interface Example {
  readonly bytes: readonly number[];
  readonly fPort: number;
  readonly recvMs: number;
  readonly answer: Answer;
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
}

interface Given {
  readonly type?: string;
  readonly input: {
    readonly bytes: string | readonly number[];
    readonly fPort?: number;
    readonly recvTime?: string;
  };
  readonly output?: Answer;
  readonly expected?: Answer;
}

const folders = process.argv.slice(2);
if (folders.length === 0) {
  process.stderr.write('Name the folders of catalogues: npm run decoders -- FOLDER…\n');
  process.exit(2);
}

const sandbox = openSandbox();
// A sandbox keeps nobody running.
const alive = setInterval(() => undefined, 60_000);
const wrong: string[] = [];
let [decoders, examples] = [0, 0];
for (const { script, file } of folders.flatMap(scriptsIn)) {
  const given = readExamples(file);
  if (given.length === 0) continue;
  decoders++;
  examples += given.length;
  const why = await faultOf(readFileSync(script, 'utf8'), given);
  if (why !== null) wrong.push(`${script}: ${why}`);
}
await sandbox.close();
clearInterval(alive);
for (const line of wrong) process.stdout.write(`${line}\n`);
process.stdout.write(
  `${decoders - wrong.length} of ${decoders} decoders give the answers of their ${examples} examples\n`,
);

function scriptsIn(folder: string) {
  const found = globSync('**/{examples,test_decode_*}.json', {
    cwd: folder,
    exclude: ['**/node_modules/**'],
  });
  return found.toSorted().flatMap((name) => {
    const file = join(folder, name);
    const [, of] = /^test_decode_(.+)\.json$/.exec(basename(name)) ?? [];
    const script = join(dirname(file), of === undefined ? 'index.js' : `${of}.js`);
    return existsSync(script) ? [{ script, file }] : [];
  });
}

/** Reads examples, which are JSON with comments and hexadecimal numbers in one of the catalogues. */
function readExamples(file: string): readonly Example[] {
  const given = runInNewContext(`(${readFileSync(file, 'utf8')})`) as readonly Given[];
  return given
    .filter(({ type = 'uplink' }) => type === 'uplink')
    .map(({ input: { bytes, fPort = 1, recvTime }, output, expected }) => ({
      bytes: typeof bytes === 'string' ? [...Buffer.from(bytes.replaceAll(/\s/g, ''), 'hex')] : bytes,
      fPort,
      recvMs: recvTime === undefined ? 0 : Date.parse(recvTime),
      answer: (output ?? expected) as Answer,
    }));
}

/** Resolves with the first example that a script answers otherwise, and how; null for none. */
async function faultOf(script: string, given: readonly Example[]): Promise<string | null> {
  const inputs = given.map(({ bytes, fPort, recvMs }) =>
    JSON.stringify({ bytes, fPort, recvTime: recvMs, variables: {} }),
  );
  const outcomes = await sandbox.run('check', programOf(script), ENTRY, inputs);
  for (const [i, { answer }] of given.entries()) {
    const outcome = outcomes[i];
    const { data } = answer;
    const errors = answer.errors ?? [];
    if (outcome?.ok !== true) {
      if (errors.length > 0 && outcome?.kind === 'thrown') continue;
      return `example ${i + 1}: ${outcome?.message}`;
    }
    const got = JSON.parse(outcome.text) as Answer;
    // Some examples say the data alone; all are as JSON has them.
    const pairs =
      errors.length > 0
        ? [errors, got.errors]
        : [data ?? answer, data === undefined ? (got.data ?? got) : got.data];
    const [asked, found] = pairs.map((value) => JSON.stringify(value) ?? 'undefined');
    if (isDeepStrictEqual(valueOf(asked), valueOf(found))) continue;
    return `example ${i + 1} gives ${found?.slice(0, 300)}, not ${asked?.slice(0, 300)}`;
  }
  return null;
}

function valueOf(json: string | undefined): unknown {
  return json === 'undefined' ? undefined : JSON.parse(json ?? 'null');
}
