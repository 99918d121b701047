import { Group, Text, TextInput } from '@mantine/core';
import type { FoundProject } from '#shared/operations/metadata/projects.ts';
import { SearchSelect } from '../../components/dialog/search-select.tsx';
import { moveFiles } from '../../import/file-items.ts';
import { goTo } from '../../router.ts';

interface LookPlaceProps {
  readonly projects: readonly FoundProject[];
  /** Name of the project that is made; null while it is not known whether one is. */
  readonly name: string | null;
  /** Null takes the name that the first file has. */
  readonly onName: (name: string | null) => void;
}

/** Stands for "a new project": no project has this id. */
const NEW = '';
const MOST_PROJECTS = 50;
/** A project's name has at most so many characters (docs/api.md, "Fields"). */
const MOST_NAME = 100;

/** Where files go that are looked at before they belong anywhere: into a project that is there, or a new one. */
export function LookPlace({ projects, name, onName }: LookPlaceProps) {
  const choose = (project_id: string | null) => {
    if (project_id === null) return;
    if (project_id === NEW) return onName(null);
    moveFiles(project_id);
    goTo({ screen: 'import', project_id });
  };
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        Into
      </Text>
      {projects.length === 0 ? (
        <Text size="sm" fw={500}>
          a new project
        </Text>
      ) : (
        <SearchSelect
          aria-label="Into the project"
          size="xs"
          data={[
            { value: NEW, label: 'A new project' },
            ...projects.map((project) => ({ value: project.id, label: project.name })),
          ]}
          placeholder="Choose a project"
          value={name === null ? null : NEW}
          onChange={choose}
          limit={MOST_PROJECTS}
          nothingFoundMessage="No such project"
          allowDeselect={false}
          w={220}
        />
      )}
      {name !== null && (
        <>
          <Text size="sm" c="dimmed">
            called
          </Text>
          <TextInput
            aria-label="Name of the project"
            size="xs"
            dir="auto"
            value={name}
            maxLength={MOST_NAME}
            onChange={(event) => onName(event.currentTarget.value)}
            error={name.trim() === '' && 'A project needs a name.'}
            w={260}
          />
        </>
      )}
    </Group>
  );
}
