import { join } from 'node:path';
import type { Context } from './context.ts';

/**
 * Says, for people to read, whose data lies in the folder without a device that it belongs to: metadata.json was lost, or
 * an older copy of it came back. Such data is kept, because it may be all that is left.
 */
export async function unknownDevices({
  config,
  metadata,
  records,
}: Pick<Context, 'config' | 'metadata' | 'records'>): Promise<readonly string[]> {
  const unknown = (await records.devices()).filter((id) => !metadata.state.devices[id]);
  if (unknown.length === 0) return [];
  const folder = join(config.directory, 'data');
  return [
    `${folder} holds data of devices that metadata.json does not know: ${unknown.length}, ${unknown[0]} among them. It is kept.`,
  ];
}
