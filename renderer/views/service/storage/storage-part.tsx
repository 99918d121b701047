import { Stack } from '@mantine/core';
import type { ServiceStatus } from '#shared/operations/service/service.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { storage } from '../../../stores/storage.ts';
import { BackupPart } from './backup-part.tsx';
import { CheckPart } from './check-part.tsx';
import { DeviceSizes } from './device-sizes.tsx';
import { DiskPart } from './disk-part.tsx';
import { ProjectSizes } from './project-sizes.tsx';
import { RepairedPart } from './repaired-part.tsx';
import { Loading } from '../../../components/work/loading.tsx';

interface StoragePartProps {
  readonly status: ServiceStatus;
  /** The project whose devices are listed; absent: all projects. */
  readonly of?: string | undefined;
}

/** Sizes, free space, and repairs. */
export function StoragePart({ status, of }: StoragePartProps) {
  storage.useWatch('all');
  const { value, error } = storage.useValue('all');
  if (!value)
    return error === null ? (
      <Loading h={300} label="Loading the storage" />
    ) : (
      <Problem message={error} onRetry={storage.reload} />
    );
  const project = value.projects.find(({ project_id }) => project_id === of);
  // What was mended is to be seen; that nothing was is no more than good to know.
  const isMended = value.repaired.length + status.notes.length > 0;
  const repaired = <RepairedPart repaired={value.repaired} notes={status.notes} />;
  return (
    <Stack gap="md">
      {error !== null && <Problem message={error} onRetry={storage.reload} />}
      <DiskPart storage={value} directory={status.data_directory} isInMemory={status.in_memory} />
      {value.can_back_up && <BackupPart />}
      <CheckPart check={value.check} />
      {isMended && repaired}
      {project ? <DeviceSizes project={project} /> : <ProjectSizes storage={value} />}
      {!isMended && repaired}
    </Stack>
  );
}
