import { diskError } from '../../disk/errors.ts';
import type { StoreParts } from './store-parts.ts';

/**
 * Finishes what is under way and lets go of every file. What cannot be done now stays safe in the log, for the next
 * start; rejects where the disk failed.
 */
export async function closeLog(parts: StoreParts): Promise<void> {
  const { common, devices, wal, checkpoint, erasure, background } = parts;
  background.closing = true;
  erasure.close();
  const { flushedOnClose, closingMs } = common.limits;
  const dirty = [...devices.loaded.values()].filter((log) => log.isDirty).length + devices.sleeping;
  if (dirty > flushedOnClose) checkpoint.carryEverything(closingMs);
  else checkpoint.moveEverything();
  await wal.idle();
  for (const log of devices.loaded.values()) log.lifecycle.endImports();
  await background.idle();
  try {
    // Unless nobody knows which files the manifests on disk name.
    if (common.poison.reason === null) for (const log of devices.loaded.values()) await log.endReads();
    await shortenLog(parts);
  } finally {
    await background.idle();
    await checkpoint.close();
    for (const log of devices.loaded.values()) await log.close();
    await wal.close();
    common.pool.open.clear();
  }
}

/** Spares the next start reading the log, and erases what was deleted. What cannot be moved now stays safe in the log. */
async function shortenLog({ common, devices, wal, checkpoint, erasure }: StoreParts): Promise<void> {
  const { poison, limits } = common;
  if (poison.reason !== null) return;
  const isShort = wal.current.end < limits.keptWalBytes && !checkpoint.isPending;
  if ((isShort || devices.areAsLeft) && !erasure.isPending) return;
  try {
    if (!checkpoint.canTurn) await checkpoint.run(wal);
    if (checkpoint.canTurn) await checkpoint.turn(wal);
    await checkpoint.run(wal);
  } catch (error) {
    const failure = diskError(error, 'closing');
    if (failure.code !== 'disk-full') throw failure;
  }
}
