import type { ServiceStatus } from '#shared/operations/service/service.ts';
import { countOf } from '#shared/values/counts.ts';
import { within } from '../../turns/within.ts';
import { CONTROL_PATHS, type Opened, type Stopping } from '../../control/messages.ts';
import { askHolder } from './ask.ts';
import { ASKER_FLAGS, ASKER_FLAGS_HELP, askerOf } from './asker.ts';
import { openInBrowser } from './browser.ts';
import { dataDirectory } from '../serve/configure.ts';
import { mqttRows } from '../serve/mqtt-lines.ts';
import type { Output } from '../output.ts';
import { givenPath, parseFlags } from '../parse.ts';
import { CommandError, refusal } from '../refusal.ts';

/* The commands that talk to the service which uses a data directory: docs/running.md, "Command line". */

/** Runs a command with its flags. Resolves with the exit code: 0, or 1 where not all is well. Throws CommandError, UsageError, UnreachableError. */
export type ControlCommand = (args: readonly string[], output: Output) => Promise<number>;

const COMMON = { data: { type: 'string' }, json: { type: 'boolean' } } as const;

const CONTROL_FLAGS_HELP = `  --data DIR          data directory (default: the per-user folder)
  --json              for machines, errors too`;

export const STATUS_FLAGS_HELP = `${ASKER_FLAGS_HELP}
  --json              for machines, errors too

  fieldbench status`;

export const STOP_FLAGS_HELP = `${CONTROL_FLAGS_HELP}

  fieldbench stop`;

export const OPEN_FLAGS_HELP = `${CONTROL_FLAGS_HELP}
  --print             only prints the console's address, and opens nothing

  fieldbench open --print`;

/** How long a stop may take, and a little more (docs/running.md, "Command line"). */
const STOP_MS = 10_000;

/** `fieldbench open`: the desktop app's window, or the console with a fresh address. */
export const open: ControlCommand = async (args, output) => {
  const flags = parseFlags(args, { ...COMMON, print: { type: 'boolean' } });
  const directory = dataDirectory(givenPath('data', flags.data));
  const { envelope } = await askHolder(
    directory,
    'POST',
    `${CONTROL_PATHS.open}${flags.print ? '?console' : ''}`,
  );
  if (!envelope.success) throw refusal(envelope);
  const { window, console_url } = envelope.data as Opened;
  if (flags.json) output.print(JSON.stringify({ window, console_url }));
  else output.print(console_url ?? 'The window of Fieldbench is open.');
  if (flags.print || console_url === null) return 0;
  output.remark(
    (await openInBrowser(console_url))
      ? 'It opens in the browser; the address works once, within ten minutes.'
      : 'Open this address in a browser; it works once, within ten minutes.',
  );
  return 0;
};

/** `fieldbench status`: what runs, and where. */
export const status: ControlCommand = async (args, output) => {
  const flags = parseFlags(args, { ...ASKER_FLAGS, json: { type: 'boolean' } });
  const found = flags.url === undefined ? await statusOf(flags) : await statusAt(flags);
  for (const line of flags.json ? [JSON.stringify(found)] : statusLines(found)) output.print(line);
  return 0;
};

type Given = Parameters<typeof askerOf>[0];

/** A service that starts answers once it has. */
async function statusOf(flags: Given): Promise<ServiceStatus> {
  (await askerOf(flags)).close();
  const directory = dataDirectory(givenPath('data', flags.data));
  const { envelope } = await askHolder(directory, 'GET', CONTROL_PATHS.status);
  if (!envelope.success) throw refusal(envelope);
  return envelope.data as ServiceStatus;
}

async function statusAt(flags: Given): Promise<ServiceStatus> {
  const asker = await askerOf(flags);
  try {
    return await asker.data('status.get', {});
  } finally {
    asker.close();
  }
}

/** `fieldbench stop`: back when it has stopped. */
export const stop: ControlCommand = async (args, output) => {
  const flags = parseFlags(args, COMMON);
  const directory = dataDirectory(givenPath('data', flags.data));
  const { envelope, over } = await askHolder(directory, 'POST', CONTROL_PATHS.stop);
  if (!envelope.success) throw refusal(envelope);
  const drainMs = ((envelope.data as Stopping)?.drain_s ?? 0) * 1000;
  if (drainMs > 0) output.remark(`It answers on for ${drainMs / 1000} s before it stops.`);
  await within(over, drainMs + STOP_MS, () => {
    throw new CommandError(1, `It was asked to stop, and has not within ${(drainMs + STOP_MS) / 1000} s.`);
  });
  output.print(flags.json ? JSON.stringify({ stopped: true }) : 'Stopped.');
  return 0;
};

function statusLines(found: ServiceStatus): string[] {
  const { accounts, projects, devices } = found.counts;
  const rows: readonly (readonly [string, string | null])[] = [
    ['/v2 service', found.base_url],
    ['plain HTTP', found.http_url === found.base_url ? null : found.http_url],
    ...mqttRows(found),
    ['authority', found.ca_file],
    ['data', `${found.data_directory} (${(found.disk_free / 1e9).toFixed(1)} GB free)`],
    ['vault', found.vault],
    [
      'holds',
      [countOf(accounts, 'account'), countOf(projects, 'project'), countOf(devices, 'device')].join(', '),
    ],
    ...found.notes.map((note) => ['note', note] as const),
  ];
  return [
    `Fieldbench ${found.version} runs as process ${found.pid} since ${found.started_at}${found.strict ? ', strict' : ''}.`,
    ...rows.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(12)} ${value}`])),
  ];
}
