import { env } from 'node:process';
import { resolve } from 'node:path';
import type { Envelope } from '#shared/schema/envelope.ts';
import { parseJson } from '#shared/values/json.ts';
import { pushPlan, type Pushed, type PushPlan } from '#shared/operations/records/push.ts';
import { validate } from '#shared/values/validate.ts';
import { nodeFiles } from '../../disk/files.ts';
import { readWhole, writeWhole } from '../../disk/whole-file.ts';
import { UsageError } from '../../base/errors.ts';
import { askJob, tell } from './ask-job.ts';
import { dataDirectory } from '../serve/configure.ts';
import type { ControlCommand } from './control.ts';
import { anyOf, projectOf } from '../names/look-up.ts';
import { ofService } from './names-of-service.ts';
import { givenPath, parseFlags } from '../parse.ts';
import { planLines, pushedLines } from './push-lines.ts';
import { CommandError, refusal } from '../refusal.ts';

/* `fieldbench push`: what the service has goes to a lab (docs/push.md). */

const text = { type: 'string' } as const;
const OPTIONS = {
  to: text,
  service: text,
  project: { type: 'string', multiple: true },
  'dry-run': { type: 'boolean' },
  plan: text,
  ca: text,
  fingerprint: text,
  'key-file': text,
  into: { type: 'string', multiple: true },
  removed: text,
  prefer: text,
  data: text,
  json: { type: 'boolean' },
} as const;
type Flags = ReturnType<typeof parseFlags<typeof OPTIONS>>;
/** Flags that an existing plan has decided. */
const OF_PLANS = ['project', 'into', 'removed', 'prefer'] as const;

export const PUSH_FLAGS_HELP = `  --service NAME      the lab, as the app knows it under Other services: its address, certificate and key are used; or
  --to URL            its address (https://lab.example:7443). Its API key is in FIELDBENCH_PUSH_KEY, or in a file:
  --key-file FILE     which only you should be able to read
  --ca FILE           the certificate that signed the lab's own (its ca_file), or
  --fingerprint F     the SHA-256 fingerprint of the lab's certificate; else what this system trusts
  --project P         only this one, by its name or id; may be given again
  --dry-run           only plans; with --plan FILE the plan is written to the file
  --plan FILE         without --dry-run: sends exactly what the plan in the file says
  --into P=ID         what is here (PROJECT, DEVICE, PROJECT/DEVICE or an id) goes into that device or
                      project of the lab, by its id; may be given again
  --removed send      also what was removed in the lab (leave-out)
  --prefer here       where both changed a field (lab)
  --data DIR          data directory (default: the per-user folder)
  --json              for machines, errors too

  fieldbench push --to https://lab.example:7443 --ca lab-ca.pem --dry-run`;

/** Flags that a known service makes superfluous. */
const OF_ADDRESS = ['to', 'key-file', 'ca', 'fingerprint'] as const;

/** It would make the machine of whoever has an API key connect to any address: only its own user may ask for it. */
const NOT_FROM_AFAR =
  '--url is not for a push: a service sends for the user of its own machine alone. Run it there, with --data; --to says where it sends to.';

/** `fieldbench push`. Resolves with 1, too, where something was refused or not sent. */
export const push: ControlCommand = async (args, output) => {
  if (args.some((word) => /^--url(?:=|$)/.test(word))) throw new UsageError(NOT_FROM_AFAR);
  const flags = parseFlags(args, OPTIONS);
  const directory = dataDirectory(givenPath('data', flags.data));
  const file = givenPath('plan', flags.plan);
  const isDry = flags['dry-run'] ?? false;
  const given = file === null || isDry ? null : await readPlan(resolve(file), flags);
  const reach = await reachOf(flags, given);
  let plan = given;
  if (plan === null) {
    const choices = await choicesOf(directory, flags);
    const envelope = await askJob(directory, 'push.plan', { ...reach, ...choices }, tell(output));
    if (!envelope.success) throw refusedBy(envelope);
    plan = envelope.data as PushPlan;
    if (isDry && file !== null) await writeWhole(nodeFiles, resolve(file), `${JSON.stringify(plan)}\n`);
  }
  const isJson = flags.json ?? false;
  if (isJson && isDry) output.print(JSON.stringify(plan));
  if (!isJson) for (const line of planLines(plan)) output.print(line);
  if (isDry) return plan.devices.some(({ state }) => state === 'refused') ? 1 : 0;
  const envelope = await askJob(directory, 'push.run', { ...reach, plan }, tell(output));
  if (!envelope.success) throw refusedBy(envelope);
  const pushed = envelope.data as Pushed;
  for (const line of isJson ? [JSON.stringify({ plan, pushed })] : pushedLines(pushed)) output.print(line);
  return [...pushed.projects, ...pushed.devices].some(({ problem }) => problem !== null) ? 1 : 0;
};

/** Fields of the operations that flags say. */
const FLAG_OF = {
  service: 'service',
  to: 'to',
  key: 'key-file',
  ca: 'ca',
  fingerprint: 'fingerprint',
  project_ids: 'project',
  removed: 'removed',
  conflicts: 'prefer',
  into: 'into',
};

/** A lab that does not answer is like a service that does not: exit code 4. */
const refusedBy = (envelope: Envelope) =>
  envelope.status === 503 ? new CommandError(4, envelope.message) : refusal(envelope, FLAG_OF);

async function reachOf(flags: Flags, plan: PushPlan | null) {
  const { service } = flags;
  if (service !== undefined) {
    const twice = OF_ADDRESS.find((flag) => flags[flag] !== undefined);
    if (twice !== undefined)
      throw new UsageError(`--${twice} is not for --service, which has its own: give one of them.`);
    return { service };
  }
  const to = flags.to ?? plan?.to;
  if (to === undefined)
    throw new UsageError('--to or --service is needed: the address of the lab, or its name. See --help.');
  const ca = givenPath('ca', flags.ca);
  if (ca !== null && flags.fingerprint !== undefined)
    throw new UsageError('--ca and --fingerprint say the same in two ways: give one of them.');
  return {
    to,
    key: await keyOf(givenPath('key-file', flags['key-file'])),
    ...(ca !== null && { ca: await readText('ca', ca) }),
    ...(flags.fingerprint !== undefined && { fingerprint: flags.fingerprint }),
  };
}

/** Reads the key of a file, never of a flag: lists of this machine's processes show those. */
async function keyOf(file: string | null): Promise<string> {
  const key = file === null ? env['FIELDBENCH_PUSH_KEY'] : await readText('key-file', file);
  if (key === undefined || key.trim() === '')
    throw new UsageError(
      'The API key of the lab is needed: in FIELDBENCH_PUSH_KEY, or in a file that --key-file names.',
    );
  return key.trim();
}

async function choicesOf(directory: string, { project, into = [], removed, prefer }: Flags) {
  const pairs = into.map(pairOf);
  const holdings = ofService(directory);
  const project_ids = project && (await Promise.all(project.map((word) => projectOf(holdings, word))));
  const ids = await Promise.all(
    pairs.map(async ([here, there]) => [await anyOf(holdings, here, project_ids), there] as const),
  );
  return {
    ...(project_ids && { project_ids }),
    ...(removed !== undefined && { removed }),
    ...(prefer !== undefined && { conflicts: prefer }),
    into: Object.fromEntries(ids),
  };
}

/** A name may have any character in it; an id of the lab has no `=`. */
function pairOf(pair: string): readonly [here: string, there: string] {
  const [, here, there] = /^(.+)=([^=]+)$/s.exec(pair) ?? [];
  if (here !== undefined && there !== undefined) return [here, there];
  throw new UsageError(`--into takes P=ID, a name or id here and an id of the lab, got "${pair}".`);
}

async function readPlan(file: string, flags: Flags): Promise<PushPlan> {
  for (const flag of OF_PLANS)
    if (flags[flag] !== undefined)
      throw new UsageError(
        `--${flag} is for making a plan; the one in ${file} has decided. Plan again with --dry-run.`,
      );
  let read: unknown;
  try {
    read = parseJson(await readText('plan', file));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const checked = validate(pushPlan, read);
  if (!checked.ok)
    throw new UsageError(
      `${file} is no plan of a push (${checked.message}). Make one with --dry-run --plan.`,
    );
  return checked.value;
}

async function readText(flag: string, path: string): Promise<string> {
  const bytes = await readWhole(nodeFiles, resolve(path));
  if (bytes === null) throw new UsageError(`--${flag} must name a file that is there, got "${path}".`);
  return bytes.toString();
}
