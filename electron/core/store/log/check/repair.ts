import { basename, join } from 'node:path';
import { Background } from '../../../turns/background.ts';
import type { Finding } from './finding.ts';
import { DeviceLog } from '../device/device-log.ts';
import { DamagedBlock, DamagedIndex } from '../segment/damage-errors.ts';
import type { Files } from '../../../disk/files.ts';
import { writeWhole } from '../../../disk/whole-file.ts';
import { openLog } from '../log.ts';
import { createCommon, DEFAULT_LIMITS } from '../device/common.ts';
import { wholeParts } from '../segment/sorted-writer.ts';
import { damagedWalName } from '../wal/wal-format.ts';

/** Repairs the findings of a check in a closed store. Damaged parts are set aside, never thrown away. */
export async function repairLog(
  directory: string,
  files: Files,
  findings: readonly Finding[],
): Promise<void> {
  const background = new Background();
  const common = createCommon({
    directory,
    files,
    limits: DEFAULT_LIMITS,
    background,
    threads: null,
    note: () => undefined,
  });
  const damagedLogs = findings.filter(({ fault }) => fault.kind === 'wal');
  for (const { file } of damagedLogs) await copyAside(files, join(directory, file));
  for (const [id, found] of Map.groupBy(findings, ({ device }) => device)) {
    if (id === null) continue;
    const log = new DeviceLog(common, id);
    // Loading rebuilds the manifest and removes what a crash left; it notes what is missing.
    await log.load();
    log.settle();
    if (found.some(({ fault }) => fault.kind === 'receipts')) log.receipts.load();
    await rewriteDamaged(log, found);
    await log.close();
  }
  await background.idle();
  // Opening reads all that is whole in the write-ahead log; closing moves it to segments, and the log begins anew.
  const store = await openLog({ directory, files, limits: { keptWalBytes: 0, flushedOnClose: Infinity } });
  await store.close();
}

async function rewriteDamaged(log: DeviceLog, findings: readonly Finding[]): Promise<void> {
  const kept = log.bin.flatMap(({ segments }) => segments);
  const damaged = [...log.segments, ...kept].filter((segment) => {
    const faults = findings.flatMap(({ fault }) =>
      (fault.kind === 'block' || fault.kind === 'index') && fault.segment === segment.meta.id ? [fault] : [],
    );
    for (const fault of faults)
      log.setAside(
        fault.kind === 'block' ? new DamagedBlock(segment, fault.block) : new DamagedIndex(segment, {}),
      );
    return faults.length > 0;
  });
  for (const segment of damaged) {
    const { id, age } = segment.meta;
    const made = segment.rows === 0 ? [] : await log.write(wholeParts([segment]), { age, replaces: [id] });
    await log.commit(made, [segment], 0, log.generation);
  }
  // Says what is missing no more.
  if (damaged.length === 0) await log.commit([], [], 0, log.generation);
}

async function copyAside(files: Files, path: string): Promise<void> {
  const file = files.openForReading(path);
  const bytes = Buffer.alloc(file.size);
  file.readNow(bytes, 0);
  file.close();
  await writeWhole(files, join(path, '..', damagedWalName(basename(path))), bytes);
}
