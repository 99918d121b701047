import { Anchor, Group, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { matches } from '#shared/values/text.ts';
import { parseInstant } from '#shared/values/time.ts';
import { doorWords, outcomeWords, statusWords } from '../../../components/facts/requests/request-words.ts';
import { FaultBadge } from '../../../components/facts/requests/fault-badge.tsx';
import { Moment } from '../../../components/facts/moment.tsx';
import { Empty } from '../../../components/screen/empty.tsx';
import type { Sort } from '../../../components/table/column.ts';
import { SearchField } from '../../../components/screen/search-field.tsx';
import type { TableColumn } from '../../../components/table/column.ts';
import { VirtualTable } from '../../../components/table/virtual-table.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { compareTexts } from '../../../order.ts';
import { hrefTo, keepAddress } from '../../../router.ts';
import { everyDevice } from '../../../stores/devices.ts';
import { refusedRequests } from '../../../stores/requests.ts';
import { Loading } from '../../../components/work/loading.tsx';

interface RefusedProps {
  readonly search: string | undefined;
  readonly sort: Sort | undefined;
}

/** Refused requests of devices and programs, with reasons; unknown senders by the beginning of the token. */
export function RefusedPart({ search: first = '', sort: firstSort }: RefusedProps) {
  refusedRequests.useWatch('all');
  const { value, error } = refusedRequests.useValue('all');
  everyDevice.useWatch('all');
  const { value: placed } = everyDevice.useValue('all');
  const names: Names = useMemo(
    () => new Map(placed?.map(({ device }) => [device.id, device.name])),
    [placed],
  );
  const columns = useMemo(() => columnsOf(names), [names]);
  const [search, setSearch] = useState(first);
  const [sort, setSort] = useState(firstSort);
  const keep = (find: string, order: Sort | undefined) => {
    setSearch(find);
    setSort(order);
    keepAddress({
      screen: 'service',
      part: 'refused',
      ...(find !== '' && { search: find }),
      ...(order && { sort: order }),
    });
  };
  const found = useMemo(
    () => value?.filter((request) => isFound(search, request, names)),
    [value, search, names],
  );
  return (
    <>
      {error !== null && <Problem message={error} onRetry={refusedRequests.reload} />}
      {!value && error === null && <Loading h={220} label="Loading refused requests" />}
      {value?.length === 0 && (
        <Empty icon={IconShieldCheck} title="Nothing was refused">
          Since the service was started, every request was accepted. What is refused is listed here with its
          reason; of an unknown token its first four characters.
        </Empty>
      )}
      {value && value.length > 0 && (
        <>
          <Group justify="space-between">
            <SearchField
              label="Search refused requests"
              value={search}
              onChange={(next) => keep(next, sort)}
            />
            <Text size="sm" c="dimmed">
              The last ones since the start, in memory, without tokens
            </Text>
          </Group>
          {found?.length === 0 ? (
            <Text c="dimmed">No refused request matches “{search}”.</Text>
          ) : (
            <VirtualTable
              label="Refused requests"
              rows={found ?? []}
              columns={columns}
              sort={sort}
              onSort={(next) => keep(search, next)}
              rowKey={({ id }) => String(id)}
            />
          )}
        </>
      )}
    </>
  );
}

/** Names of devices, by id. */
type Names = ReadonlyMap<string, string>;

const isFound = (
  search: string,
  { path, message, from, token, key, method, device_id, ...rest }: SeenRequest,
  names: Names,
) =>
  matches(
    search,
    path,
    names.get(device_id ?? '') ?? '',
    message ?? '',
    from,
    token ?? '',
    key?.name ?? '',
    method,
    statusWords(rest),
    doorWords(rest),
  );

const columnsOf = (names: Names): readonly TableColumn<SeenRequest>[] => [
  {
    id: 'time',
    header: 'Time',
    width: '124px',
    compare: (a, b) => a.id - b.id,
    cell: ({ time }) => <Moment at={parseInstant(time) ?? 0} clock />,
  },
  {
    id: 'status',
    header: 'Status',
    width: '84px',
    compare: (a, b) => a.status - b.status,
    cell: (request) => <span className="mono">{statusWords(request)}</span>,
  },
  {
    id: 'reason',
    header: 'Reason',
    width: 'minmax(220px, 3fr)',
    compare: (a, b) => compareTexts(a.message ?? '', b.message ?? ''),
    cell: (request) => (
      <>
        <span title={outcomeWords(request)}>{outcomeWords(request)}</span>
        <FaultBadge request={request} />
        {request.more > 0 && (
          <Text span size="xs" c="dimmed">
            {' '}
            · {request.more} more like it
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'who',
    header: 'Who',
    width: '150px',
    rank: 1,
    compare: (a, b) => compareTexts(whoWords(a, names), whoWords(b, names)),
    cell: (request) => <Who request={request} names={names} />,
  },
  {
    id: 'what',
    header: 'Request',
    width: 'minmax(170px, 2fr)',
    compare: (a, b) => compareTexts(a.path, b.path),
    cell: (request) => (
      <>
        <span className="mono" title={`${request.method} ${request.path}`}>
          {request.method} {request.path}
        </span>
        <Text size="xs" c="dimmed" lh={1.2} truncate>
          {doorWords(request)} from {request.from}
        </Text>
      </>
    ),
  },
];

const whoWords = ({ device_id, key, token }: SeenRequest, names: Names) =>
  token ?? key?.name ?? (device_id === null ? '' : (names.get(device_id) ?? device_id));

interface WhoProps {
  readonly request: SeenRequest;
  readonly names: Names;
}

function Who({ request: { device_id, project_id, key, token }, names }: WhoProps) {
  if (device_id !== null && project_id !== null)
    return (
      <>
        <Anchor
          href={hrefTo({ screen: 'device', project_id, device_id, tab: 'connect', refused: true })}
          inherit
          title={`${names.get(device_id) ?? 'Device'} (${device_id})`}
        >
          {names.get(device_id) ?? `Device ${device_id.slice(0, 8)}`}
        </Anchor>
        {token !== null && <TokenWords token={token} />}
      </>
    );
  if (key !== null) return <span title={key.name}>{key.name}</span>;
  if (token !== null) return <TokenWords token={token} />;
  return (
    <Text span inherit c="dimmed">
      without a token
    </Text>
  );
}

const TokenWords = ({ token }: { readonly token: string }) => (
  <Text size="xs" c="dimmed" lh={1.2}>
    unknown token {token !== '' && <span className="mono">{token}…</span>}
  </Text>
);
