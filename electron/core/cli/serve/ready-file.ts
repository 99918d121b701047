import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../../base/errors.ts';
import type { Service } from '../../service/service.ts';
import { errorCode } from '../../disk/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { VERSION } from '../../base/version.ts';
import { systemRandom } from '../../base/system-random.ts';

/** Contents of the ready file, for rigs (docs/running.md, "Command line"). Closed doors are null. */
export interface ReadyInfo {
  readonly version: string;
  readonly pid: number;
  readonly base_url: string;
  readonly http_url: string | null;
  readonly mqtt_url: string | null;
  readonly mqtts_url: string | null;
  readonly ca_file: string | null;
  /** The same, PEM, where it is in no file: of a service in memory. */
  readonly ca_certificate?: string;
  readonly console_url: string | null;
  readonly account_id: string;
  /** Holds all permissions: hence the file's mode of 0600. */
  readonly api_key: string;
}

async function readyInfo(service: Service): Promise<ReadyInfo> {
  const { base_url, http_url, mqtt_url, mqtts_url, ca_file, ca_certificate, account_id, api_key } = service;
  return {
    version: VERSION,
    pid: process.pid,
    base_url,
    http_url,
    mqtt_url,
    mqtts_url,
    ca_file,
    ...(ca_file === null && ca_certificate !== null && { ca_certificate }),
    console_url: await service.console_url(),
    account_id,
    api_key,
  };
}

/**
 * Writes the ready file, and again whenever doors were moved; `failed` is called with the error of a later write. Throws
 * StartError where it cannot be written at first.
 */
export async function keepReadyFile(
  file: string,
  service: Service,
  failed: (error: unknown) => void,
): Promise<void> {
  await writeReadyFile(file, await readyInfo(service));
  const again = async () => replaceReadyFile(file, await readyInfo(service));
  service.onMoved(() => void again().catch(failed));
}

/**
 * Writes the ready file, and has it removed when this process ends, however it ends short of being killed. The folder may
 * be one that others write to, such as the system's temporary one: the key goes into a file that this process has made,
 * under a name that nobody could know, and closed to others before there is anything in it. Throws StartError where it
 * cannot be written.
 */
export async function writeReadyFile(file: string, info: ReadyInfo): Promise<void> {
  // Whoever reads it just now keeps it from being removed on Windows.
  process.once('exit', () => rmSync(file, { force: true, maxRetries: 5 }));
  await replaceReadyFile(file, info);
}

async function replaceReadyFile(file: string, info: ReadyInfo): Promise<void> {
  const own = `${file}.${systemRandom.bytes(16).toString('hex')}`;
  try {
    try {
      await writeOwn(own, `${JSON.stringify(info, null, 2)}\n`);
      // Takes the place of whatever is there: of a link itself, not of what it leads to.
      await nodeFiles.rename(own, file);
      await nodeFiles.syncDirectory(dirname(file));
    } catch (error) {
      await nodeFiles.remove(own);
      throw error;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      'bad-flag',
      `The ready file cannot be written (${reason}). Choose another with --ready-file F.`,
      { cause: error },
    );
  }
}

/** Makes a file that was not there, for this user alone whatever the umask, and its content durable. */
async function writeOwn(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes one that a killed service left, so that no one takes it for the word of this one. */
export function removeStaleReadyFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    const reason = errorCode(error) ?? String(error);
    throw new StartError('bad-flag', `The ready file ${file} cannot be replaced (${reason}).`, {
      cause: error,
    });
  }
}
