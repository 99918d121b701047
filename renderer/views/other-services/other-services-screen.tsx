import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { IconExternalLink, IconServer2 } from '@tabler/icons-react';
import type { OtherService } from '#shared/operations/service/other-services.ts';
import { matches } from '#shared/values/text.ts';
import { hrefAt } from '../../bridge/place.ts';
import { Empty } from '../../components/screen/empty.tsx';
import { ListScreen } from '../../components/screen/list-screen.tsx';
import type { ListShown } from '../../components/screen/list-shown.ts';
import { useListShown } from '../../components/screen/use-list-shown.ts';
import type { TableColumn } from '../../components/table/column.ts';
import { actionsColumn, nameColumn } from '../../components/table/usual-columns.ts';
import { compareTexts } from '../../order.ts';
import { openDialog } from '../../stores/dialog.ts';
import { otherServices } from '../../stores/other-services.ts';
import { ColourDot } from './colour-dot.tsx';

const add = () => openDialog({ kind: 'other-service' });
const isFound = (search: string, { name, address }: OtherService) => matches(search, name, address);

/** The services elsewhere that windows of this machine look at. */
export function OtherServicesScreen(told: ListShown) {
  const [shown, show] = useListShown('other-services', told);
  otherServices.useWatch('all');
  return (
    <ListScreen
      shown={shown}
      onShow={show}
      title="Other services"
      noun="service"
      description="Services on other machines, a lab’s server for instance, with the same screens and the rights of an API key."
      list={otherServices.useValue('all')}
      onRetry={otherServices.reload}
      onNew={add}
      onOpen={({ id }) => (window.location.hash = hrefAt(id))}
      isFound={isFound}
      columns={COLUMNS}
      empty={
        <Empty
          icon={IconServer2}
          title="No other services yet"
          action={<Button onClick={add}>Add the first service</Button>}
        >
          Have its address and an API key of it ready. You will see whom you trust before the key is sent.
        </Empty>
      }
    />
  );
}

const COLUMNS: readonly TableColumn<OtherService>[] = [
  nameColumn('minmax(160px, 2fr)', ({ id, name, colour }) => (
    <Group gap={8} wrap="nowrap">
      <ColourDot colour={colour} />
      <Anchor href={hrefAt(id)} fw={500} size="sm" title={name} dir="auto" truncate>
        {name}
      </Anchor>
    </Group>
  )),
  {
    id: 'address',
    header: 'Address',
    width: 'minmax(140px, 2fr)',
    rank: 1,
    compare: (a, b) => compareTexts(a.address, b.address),
    cell: ({ address }) => (
      <Text span size="sm" c="dimmed" title={address}>
        {address}
      </Text>
    ),
  },
  {
    id: 'trusted',
    header: 'Trusted by',
    width: 'minmax(120px, 2fr)',
    rank: 2,
    cell: ({ trusted, address }) => (
      <Text span size="sm" c="dimmed" title={trusted?.fingerprint ?? ''}>
        {trusted ? trustWords(trusted) : address.startsWith('http:') ? 'this machine alone' : 'this machine'}
      </Text>
    ),
  },
  {
    id: 'read_only',
    header: 'Access',
    width: '120px',
    cell: ({ read_only }) =>
      read_only && (
        <Badge size="sm" variant="outline" color="gray" tt="none" fw={600} c="var(--mantine-color-text)">
          read-only
        </Badge>
      ),
  },
  actionsColumn('330px', (service) => (
    <Group gap={4} wrap="nowrap" justify="end">
      <Button
        component="a"
        href={hrefAt(service.id)}
        target="_blank"
        onClick={(event) => {
          // The desktop app opens its windows itself.
          if (!window.fieldbench) return;
          event.preventDefault();
          window.fieldbench.openWindow(hrefAt(service.id));
        }}
        size="compact-sm"
        variant="subtle"
        aria-label={`Open ${service.name} in a new window`}
        leftSection={<IconExternalLink size={14} />}
      >
        New window
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={`Edit ${service.name}…`}
        onClick={() => openDialog({ kind: 'other-service', service })}
      >
        Edit…
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        color="danger"
        aria-label={`Remove ${service.name}…`}
        onClick={() => openDialog({ kind: 'remove-other-service', service })}
      >
        Remove…
      </Button>
    </Group>
  )),
];

function trustWords({ is_authority, fingerprint }: NonNullable<OtherService['trusted']>): string {
  return `${is_authority ? 'its authority' : 'its certificate'}, ${fingerprint.slice(0, 11)}…`;
}
