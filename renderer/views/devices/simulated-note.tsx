import { Button, Group, Text } from '@mantine/core';
import { IconTrash, IconWaveSine } from '@tabler/icons-react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { Project } from '#shared/schema/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { May } from '../../components/work/may.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { announceDeleted } from '../../components/work/undo-toast.tsx';
import { goTo } from '../../router.ts';
import { deleteProject, impactOfProject, useDeleteOf } from '../../stores/undo/deletes.ts';
import { openDialog } from '../../stores/dialog.ts';
import { useAsksForReason } from '../../stores/projects.ts';

interface SimulatedNoteProps {
  readonly project: Project;
  readonly devices: readonly FoundDevice[];
}

/** Says of a project that all of its devices are simulated, and removes it by a click that can be undone. */
export function SimulatedNote({ project, devices }: SimulatedNoteProps) {
  const deleting = useDeleteOf('projects.remove', 'projects.delete');
  const isAsked = useAsksForReason(project.id);
  const submit = useSubmit(async () => {
    const { deleted, undo } = await deleteProject(project.id, {});
    if (undo)
      announceDeleted(
        `Project “${project.name}” deleted`,
        { deleted, undo },
        {
          count: async () => (await impactOfProject(project.id, project.name)).deleted,
          act: () => ask('projects.remove', { project_id: project.id }),
        },
      );
    goTo({ screen: 'projects' });
  });
  if (devices.length === 0 || !devices.every(({ brand }) => brand === 'Simulated')) return null;
  // What cannot be undone is asked first, and why, where the project asks for a reason.
  const remove =
    deleting === 'projects.remove' && !isAsked
      ? submit.run
      : () => openDialog({ kind: 'delete-project', project });
  return (
    <>
      <Group gap="xs" role="note" aria-label="Simulated devices">
        <IconWaveSine size={16} aria-hidden />
        <Text size="sm">These devices are simulated.</Text>
        <May to={deleting}>
          <Button
            size="xs"
            variant="default"
            loading={submit.busy}
            leftSection={<IconTrash size={14} />}
            onClick={remove}
          >
            Remove simulated devices
          </Button>
        </May>
      </Group>
      {submit.error !== null && <Problem message={submit.error} />}
    </>
  );
}
