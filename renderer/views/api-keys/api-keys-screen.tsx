import { Badge, Button, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import { matches } from '#shared/values/text.ts';
import type { ApiKey, Project } from '#shared/schema/schemas.ts';
import { parseInstant } from '#shared/values/time.ts';
import { useMay } from '../../bridge/distant.ts';
import { ListScreen } from '../../components/screen/list-screen.tsx';
import type { ListShown } from '../../components/screen/list-shown.ts';
import { useListShown } from '../../components/screen/use-list-shown.ts';
import { Moment } from '../../components/facts/moment.tsx';
import type { TableColumn } from '../../components/table/column.ts';
import { actionsColumn, nameColumn } from '../../components/table/usual-columns.ts';
import { compareTexts } from '../../order.ts';
import { openDialog } from '../../stores/dialog.ts';
import { projects } from '../../stores/projects.ts';
import { apiKeys } from '../../stores/service.ts';
import { nowMicros } from '../../time.ts';

const newKey = () => openDialog({ kind: 'new-key' });
const isFound = (search: string, { name }: ApiKey) => matches(search, name);

/** The keys with which rigs and scripts open the service. */
export function ApiKeysScreen(told: ListShown) {
  const [shown, show] = useListShown('api-keys', told);
  apiKeys.useWatch('all');
  const allProjects = projects.useValue('all').value;
  const mayCreate = useMay('keys.create');
  const mayRevoke = useMay('keys.revoke');
  const columns = useMemo(() => columnsOf(allProjects ?? []), [allProjects]);
  return (
    <ListScreen
      shown={shown}
      onShow={show}
      title="API keys"
      noun="API key"
      description="Rigs and scripts open the /v2 service with these. A key is shown once, when it is made."
      list={apiKeys.useValue('all')}
      onRetry={apiKeys.reload}
      {...(mayCreate && { onNew: newKey })}
      isFound={isFound}
      columns={mayRevoke ? columns : columns.filter(({ id }) => id !== 'actions')}
    />
  );
}

const OWN_KEY =
  'The service made it for itself and for rigs on this machine: --ready-file writes it to a file that only its owner may read.';

function columnsOf(allProjects: readonly Project[]): readonly TableColumn<ApiKey>[] {
  const nameOf = new Map(allProjects.map(({ id, name }) => [id, name]));
  return [
    nameColumn('minmax(210px, 2fr)', ({ name, role }) => (
      <>
        <Text span size="sm" fw={500} title={name} dir="auto">
          {name}
        </Text>
        {role === 'service' && (
          <Text size="xs" c="dimmed" lh={1.2} title={OWN_KEY}>
            the service’s own, in its ready file
          </Text>
        )}
      </>
    )),
    {
      id: 'permissions',
      header: 'Permissions',
      width: '240px',
      cell: ({ permissions }) => (
        <Group gap={4} wrap="nowrap">
          {permissions.map((permission) => (
            <Badge
              key={permission}
              variant="light"
              size="sm"
              tt="none"
              fw={500}
              color={permission === 'admin' ? 'orange' : 'petrol'}
              // Orange on its own tint misses WCAG AA in the light theme.
              {...(permission === 'admin' && { c: 'var(--mantine-color-text)' })}
            >
              {permission}
            </Badge>
          ))}
        </Group>
      ),
    },
    {
      id: 'projects',
      header: 'Projects',
      width: 'minmax(90px, 1fr)',
      rank: 2,
      cell: ({ project_ids }) => {
        const names = project_ids?.map((id) => nameOf.get(id) ?? id).join(', ') ?? 'all';
        return <span title={names}>{names}</span>;
      },
    },
    {
      id: 'expires',
      header: 'Expires',
      width: '180px',
      rank: 3,
      compare: (a, b) => compareTexts(a.expires_at ?? '9', b.expires_at ?? '9'),
      cell: ({ expires_at }) => <Expiry text={expires_at} />,
    },
    {
      id: 'created',
      header: 'Created',
      width: '180px',
      rank: 1,
      compare: (a, b) => compareTexts(a.created_at, b.created_at),
      cell: ({ created_at }) => <Moment at={parseInstant(created_at) ?? 0} />,
    },
    {
      id: 'used',
      header: 'Last used',
      width: '130px',
      compare: (a, b) => compareTexts(a.last_used ?? '', b.last_used ?? ''),
      cell: ({ last_used }) => {
        const at = last_used === null ? null : parseInstant(last_used);
        if (at !== null) return <Moment at={at} relative />;
        return (
          <Text span inherit c="dimmed">
            never
          </Text>
        );
      },
    },
    actionsColumn('140px', (apiKey) =>
      apiKey.role === 'service' ? (
        <Text span size="xs" c="dimmed" title={OWN_KEY}>
          cannot be revoked
        </Text>
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          color="danger"
          aria-label={`Revoke ${apiKey.name}…`}
          onClick={() => openDialog({ kind: 'revoke-key', apiKey })}
        >
          Revoke…
        </Button>
      ),
    ),
  ];
}

function Expiry({ text }: { readonly text: string | null }) {
  const at = text === null ? null : parseInstant(text);
  if (at === null) return 'never';
  return (
    <Text span inherit c={at < nowMicros() ? 'red' : 'var(--mantine-color-text)'}>
      <Moment at={at} />
    </Text>
  );
}
