import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import type { DoorName } from '#shared/operations/service/doors.ts';
import type { Config } from '../base/config.ts';
import { writeAtomically } from '../disk/atomic-file.ts';
import { writtenAs } from '../disk/contents.ts';
import { startError } from '../disk/errors.ts';
import type { Files } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';

/* doors.json: where the service listens, as people chose it in the app. Flags win over it. */

const port = z.int().min(0).max(65_535);
const settings = z.object({
  version: z.literal(1),
  /** Whether the doors over TLS are open to the network. */
  network: z.boolean().optional(),
  https_port: port.optional(),
  http_port: port.nullable().optional(),
  mqtt_port: port.nullable().optional(),
  mqtts_port: port.nullable().optional(),
});
export type DoorSettings = Omit<z.infer<typeof settings>, 'version'>;

export const EVERYWHERE = '0.0.0.0';
export const LOOPBACK = '127.0.0.1';

/** The data directory. */
interface Place {
  readonly directory: string;
  readonly files: Files;
}

const FILE = 'doors.json';
const pathIn = (directory: string) => join(directory, FILE);
/** Whether they are in a file of this name. */
export const isDoorFile = writtenAs(FILE);

/** Resolves with the chosen settings; none, and a note, where they cannot be read. Throws StartError where the disk fails. */
export async function readDoorSettings(
  { directory, files }: Place,
  note: (line: string) => void,
): Promise<DoorSettings> {
  const path = pathIn(directory);
  let bytes: Buffer | null;
  try {
    bytes = await readWhole(files, path);
  } catch (error) {
    throw startError(error, directory);
  }
  if (bytes === null) return {};
  const read = settings.safeParse(jsonIn(bytes));
  if (read.success) return read.data;
  note(`${path} is damaged or of a newer Fieldbench: the doors that it names are where they are by default.`);
  return {};
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Rejects with StoreError; what was there before is whole then. */
export async function writeDoorSettings({ directory, files }: Place, chosen: DoorSettings): Promise<void> {
  await writeAtomically(pathIn(directory), `${JSON.stringify({ version: 1, ...chosen })}\n`, { files });
}

/** The configuration with what was chosen, where no flag says otherwise. Without TLS there is one door, which flags choose. */
export function withDoorSettings(config: Config, chosen: DoorSettings): Config {
  if (!config.tls || config.flags === null) return config;
  const { flags } = config;
  const free = <Name extends DoorName>(name: Name) => (flags.has(name) ? undefined : chosen[name]);
  const network = free('network');
  const https = free('https_port');
  const http = free('http_port');
  const mqtt = free('mqtt_port');
  const mqtts = free('mqtts_port');
  return {
    ...config,
    ...(network !== undefined && { host: network ? EVERYWHERE : LOOPBACK }),
    ...(https !== undefined && { port: https }),
    ...(http !== undefined && { httpPort: http }),
    // One that was chosen in the app, and that another has by now, keeps nobody from starting.
    ...(mqtt !== undefined && { mqttPort: mqtt === null ? null : { number: mqtt, isAsked: false } }),
    ...(mqtts !== undefined && { mqttsPort: mqtts }),
  };
}
