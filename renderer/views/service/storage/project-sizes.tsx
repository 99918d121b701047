import { Anchor, Group, Text } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Storage } from '#shared/operations/service/storage.ts';
import { matches } from '#shared/values/text.ts';
import { Empty } from '../../../components/screen/empty.tsx';
import { SearchField } from '../../../components/screen/search-field.tsx';
import { VirtualTable } from '../../../components/table/virtual-table.tsx';
import { countOf, formatBytes } from '../../../format.ts';
import { goTo, hrefTo, type KnownRoute } from '../../../router.ts';
import { Part } from '../parts.tsx';
import { sizeColumns, tableFrame } from './sizes.tsx';

type ProjectSize = Storage['projects'][number];

const devicesOf = (project: ProjectSize): KnownRoute => ({
  screen: 'service',
  part: 'storage',
  of: project.project_id,
});

/** Sizes of projects, the largest first; a project leads to its devices. */
export function ProjectSizes({ storage: { projects, elsewhere } }: { readonly storage: Storage }) {
  const [search, setSearch] = useState('');
  const found = useMemo(() => projects.filter(({ name }) => matches(search, name)), [projects, search]);
  const columns = useMemo(() => {
    const all = projects.reduce((sum, { bytes }) => sum + bytes, elsewhere.bytes);
    return sizeColumns<ProjectSize>(all, (project) => (
      <>
        <Anchor
          href={hrefTo(devicesOf(project))}
          size="sm"
          fw={500}
          truncate
          display="block"
          title={project.name}
          dir="auto"
        >
          {project.name}
        </Anchor>
        <Text size="xs" c="dimmed" lh={1.2}>
          {countOf(project.devices, 'device')}
        </Text>
      </>
    ));
  }, [projects, elsewhere]);
  return (
    <Part title="Size by project">
      {projects.length === 0 ? (
        <Empty icon={IconFolder} title="No projects yet">
          Projects and what their devices store are listed here, the largest first.
        </Empty>
      ) : (
        <>
          <Group justify="space-between">
            <SearchField label="Search projects by name" value={search} onChange={setSearch} />
            {elsewhere.devices > 0 && (
              <Text size="sm" c="dimmed">
                Further accounts: {formatBytes(elsewhere.bytes)}
              </Text>
            )}
          </Group>
          {found.length === 0 ? (
            <Text c="dimmed">No project matches “{search}”.</Text>
          ) : (
            <div style={tableFrame(found.length)}>
              <VirtualTable
                label="Size by project"
                rows={found}
                columns={columns}
                rowKey={({ project_id }) => project_id}
                sort={{ column: 'size', descending: true }}
                onOpen={(project) => goTo(devicesOf(project))}
              />
            </div>
          )}
        </>
      )}
    </Part>
  );
}
