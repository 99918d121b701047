import { rmSync } from 'node:fs';
import { StartError } from '../errors.ts';
import type { Service } from '../service.ts';
import { writeAtomically } from '../disk/atomic-file.ts';
import { errorCode } from '../disk/errors.ts';
import { VERSION } from '../version.ts';

/** What a rig reads to find a service that it started (docs/api.md, "Command line"). What is off is null. */
export interface ReadyInfo {
  readonly version: string;
  readonly pid: number;
  readonly base_url: string;
  readonly http_url: string | null;
  readonly mqtt_url: string | null;
  readonly mqtts_url: string | null;
  readonly ca_file: string | null;
  readonly console_url: string | null;
  readonly account_id: string;
  /** Holds all permissions: hence the file's mode of 0600. */
  readonly api_key: string;
}

export function readyInfo(service: Service): ReadyInfo {
  const { base_url, http_url, ca_file, account_id, api_key } = service;
  return {
    version: VERSION,
    pid: process.pid,
    base_url,
    http_url,
    mqtt_url: null,
    mqtts_url: null,
    ca_file,
    console_url: service.console_url(),
    account_id,
    api_key,
  };
}

/**
 * Writes the ready file, and has it removed when this process ends, however it ends short of being killed.
 * Throws StartError where it cannot be written.
 */
export async function writeReadyFile(file: string, info: ReadyInfo): Promise<void> {
  process.once('exit', () => rmSync(file, { force: true }));
  try {
    await writeAtomically(file, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new StartError(
      'bad-flag',
      `The ready file cannot be written (${reason}). Choose another with --ready-file F.`,
      {
        cause: error,
      },
    );
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
