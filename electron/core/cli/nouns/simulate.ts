import type { InputOf } from '#shared/operations/index.ts';
import type { Simulator } from '#shared/operations/service/simulators.ts';
import { parseJson } from '#shared/values/json.ts';
import { UsageError } from '../../base/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { readWhole } from '../../disk/whole-file.ts';
import { durationOf } from '../duration.ts';
import { SCOPE_FLAGS, SCOPE_FLAGS_HELP } from '../names/look-up.ts';
import { deviceOf } from './devices.ts';
import { columns, nounCommand } from './noun-command.ts';
import { needed } from './projects.ts';
import { keysOf, troubleOf } from './words/shape-words.ts';

/* `fieldbench simulate` and `fieldbench replay`: docs/rigs.md, "Simulators". */

const text = { type: 'string' } as const;
const SENDING_FLAGS = {
  count: text,
  start: text,
  speed: text,
  through: text,
  seed: text,
  trouble: text,
} as const;
type Sending = { readonly [Flag in keyof typeof SENDING_FLAGS]?: string | undefined };

const SENDING_HELP = `  --count N           how many in all (no end)
  --start T           when the first one is (2026-11-18T00:00:00Z)
  --speed N|max       so many times as fast, or all at once
  --through W         store (beside the doors), http or mqtt (as the device sends)
  --seed N            another one makes other values and other trouble
  --trouble T=SHARE,… shares from 0 to 1 of gaps, late, duplicates, wrong_clock, stuck and spikes`;

/** Fields of the operation, by the flag that says them. */
const FLAG_OF = {
  every_ms: 'every',
  jitter_ms: 'jitter',
  keys: 'shape',
  count: 'count',
  start: 'start',
  speed: 'speed',
  through: 'through',
  seed: 'seed',
  trouble: 'trouble',
  times: 'times',
} as const;

function sendingOf({ count, start, speed, through, seed, trouble }: Sending) {
  return {
    ...(count !== undefined && { count: Number(count) }),
    ...(start !== undefined && { start }),
    ...(speed !== undefined && { speed: speed === 'max' ? speed : Number(speed) }),
    ...(through !== undefined && { through }),
    ...(seed !== undefined && { seed: Number(seed) }),
    ...(trouble !== undefined && { trouble: troubleOf(trouble) }),
  };
}

export const start = nounCommand({
  flags: {
    ...SCOPE_FLAGS,
    every: text,
    shape: { type: 'string', multiple: true },
    jitter: text,
    ...SENDING_FLAGS,
    file: text,
  },
  help: `${SCOPE_FLAGS_HELP}
  --every TIME        from one reading to the next: a number and ms, s, m, h or d
  --shape KEY=SHAPE:… again for each key:
                        constant:value=V
                        sine:mean=20,amplitude=5,period=1h,noise=0.2
                        walk:start=20,step=0.5,min=0,max=50
                        states:states=idle/on/off,stay=10m
                        ramp:from=0,to=100,period=1d
                        counter:step=1,wraps_at=10000
  --jitter TIME       up to so much later, each by chance
${SENDING_HELP}
  --file F            the body of POST /_local/v1/simulators as JSON; flags win over it`,
  example:
    'simulate start --device ESP32 --every 10s --shape temperature=sine:mean=20,amplitude=5,period=1h --shape mode=states:states=idle/on,stay=5m',
  async run({ ask, names, values }) {
    const of = await deviceOf(names, values);
    const { every, shape, jitter, file } = values;
    const input = {
      ...(file !== undefined && (await objectIn(file))),
      ...of,
      ...(every !== undefined && { every_ms: durationOf('--every', every) }),
      ...(shape !== undefined && { keys: keysOf(shape) }),
      ...(jitter !== undefined && { jitter_ms: durationOf('--jitter', jitter) }),
      ...sendingOf(values),
    };
    const made = await ask('simulators.create', input as InputOf<'simulators.create'>, FLAG_OF);
    return { data: made, lines: [made.id] };
  },
});

export const replay = nounCommand({
  flags: { ...SCOPE_FLAGS, from: text, upload: text, times: text, ...SENDING_FLAGS },
  help: `${SCOPE_FLAGS_HELP}
  --from D            stores what this device holds, called as --device calls it; or
  --upload ID         what an upload holds (POST /_local/v1/uploads)
  --times T           kept (those that they had), or now
${SENDING_HELP}`,
  example: 'replay --device ESP32 --from ESP32 --times now --speed 10',
  async run({ ask, names, values }) {
    const of = await deviceOf(names, values);
    const { from, upload, times } = values;
    if (from !== undefined && upload !== undefined)
      throw new UsageError('--from and --upload name two recordings: leave one of them away.');
    const source =
      upload === undefined
        ? { device_id: (await deviceOf(names, { device: needed('from', from) })).device_id }
        : { file: upload };
    const input = { ...of, replay: source, ...(times !== undefined && { times }), ...sendingOf(values) };
    const made = await ask('simulators.create', input as InputOf<'simulators.create'>, FLAG_OF);
    return { data: made, lines: [made.id] };
  },
});

export const list = nounCommand({
  flags: {},
  help: '',
  example: 'simulate list',
  async run({ ask }) {
    const found = await ask('simulators.list', {});
    return { data: found, lines: columns(found.map(cellsOf)) };
  },
});

export const stop = nounCommand({
  word: 'the ID of a simulator',
  flags: {},
  help: '  ID                  as simulate list prints it',
  example: 'simulate stop 6a0f2a52-5d0e-4c39-8f7c-2f6a1d7b9c01',
  async run({ ask, word }) {
    const stopped = await ask('simulators.delete', { simulator_id: word });
    return { data: stopped, lines: [`Stopped: ${countsOf(stopped)}.`] };
  },
});

export const building = nounCommand({
  flags: { name: text, hours: text, seed: text },
  help: `  --name NAME         of its project (Small building (simulated))
  --hours N           of history, at least (24)
  --seed N            another one makes other values`,
  example: 'simulate building --hours 1',
  async run({ ask, values: { name, hours, seed } }) {
    const input = {
      ...(name !== undefined && { name }),
      ...(hours !== undefined && { hours: Number(hours) }),
      ...(seed !== undefined && { seed: Number(seed) }),
    };
    const made = await ask('simulators.building', input, { name: 'name', hours: 'hours', seed: 'seed' });
    return { data: made, lines: [made.id] };
  },
});

const countsOf = ({ stored, refused }: Simulator) => `${stored} stored, ${refused} refused`;

const cellsOf = (simulator: Simulator) => [
  simulator.id,
  simulator.state,
  countsOf(simulator),
  simulator.keys === null ? 'replay' : Object.keys(simulator.keys).join(', '),
  simulator.problem ?? (simulator.next === null ? '' : `next ${simulator.next}`),
];

/** Rejects with UsageError where it is none. */
async function objectIn(file: string): Promise<object> {
  const bytes = await readWhole(nodeFiles, file);
  if (bytes === null) throw new UsageError(`--file takes a file that is there, got "${file}".`);
  let found: unknown;
  try {
    found = parseJson(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`--file takes a file with a JSON object: ${error.message}.`);
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw new UsageError('--file takes a file with a JSON object.');
  return found;
}
