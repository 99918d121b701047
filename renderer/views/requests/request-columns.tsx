import { Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { parseInstant } from '#shared/values/time.ts';
import { FaultBadge } from '../../components/facts/requests/fault-badge.tsx';
import {
  doorWords,
  kindOf,
  outcomeWords,
  statusWords,
  tookWords,
} from '../../components/facts/requests/request-words.ts';
import type { TableColumn } from '../../components/table/column.ts';
import { countOf, shortened } from '../../format.ts';
import { compareNames, compareTexts } from '../../order.ts';
import { formatClock, formatLocal, zoneOffset } from '../../time.ts';
import type { Places } from './request-filter.ts';
import classes from './requests-screen.module.css';

/** `hrefOf` leads to the one of an id; `open` is the one that is open. */
export const requestColumns = (
  hrefOf: (id: string) => string,
  places: Places,
  open: string | undefined,
): readonly TableColumn<SeenRequest>[] => [
  {
    id: 'time',
    header: 'Time',
    width: '136px',
    compare: (a, b) => a.id - b.id,
    cell: ({ id, time }) => {
      const at = parseInstant(time) ?? 0;
      return (
        <a
          href={hrefOf(String(id))}
          className={classes['time']}
          aria-current={String(id) === open ? 'true' : undefined}
          // Not a tooltip of Mantine's: the list has one of these in each of its rows, which come and go.
          title={`${formatLocal(at)} (${zoneOffset(at)})\n${time}`}
        >
          {formatClock(Math.floor(at / 1e3) * 1e3)}
        </a>
      );
    },
  },
  {
    id: 'status',
    header: 'Status',
    width: '92px',
    compare: (a, b) => a.status - b.status,
    cell: (request) => <Status request={request} />,
  },
  {
    id: 'outcome',
    header: 'What became of it',
    width: 'minmax(200px, 3fr)',
    compare: (a, b) => compareTexts(outcomeWords(a), outcomeWords(b)),
    cell: (request) => (
      <>
        <span title={outcomeWords(request)}>{outcomeWords(request)}</span>
        <FaultBadge request={request} />
        {request.more > 0 && (
          <Text span size="xs" c="dimmed">
            {' '}
            · {countOf(request.more, 'more', 'more')} like it
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'who',
    header: 'Who',
    width: '150px',
    rank: 3,
    compare: (a, b) => compareNames(whoWords(a, places), whoWords(b, places)),
    cell: (request) => (
      <Text span inherit {...(isNobody(request) && { c: 'dimmed' })} title={whoWords(request, places)}>
        {shortened(whoWords(request, places), 60)}
      </Text>
    ),
  },
  {
    id: 'what',
    header: 'Request',
    width: 'minmax(190px, 2fr)',
    rank: 2,
    compare: (a, b) => compareTexts(a.path, b.path),
    cell: (request) => (
      <>
        <span className="mono" title={`${request.method} ${request.path}`}>
          {request.method} {request.path}
        </span>
        <Text size="xs" c="dimmed" lh={1.2} truncate>
          {kindOf(request) === request.method ? '' : `${kindOf(request)} · `}
          {doorWords(request)} from {request.from}
        </Text>
      </>
    ),
  },
  {
    id: 'took',
    header: 'Took',
    width: '92px',
    rank: 1,
    align: 'end',
    compare: (a, b) => a.duration_us - b.duration_us,
    cell: (request) => tookWords(request),
  },
];

/** `⊘ 400`: refused or accepted by its shape and colour, and what the answer said. */
export function Status({ request }: { readonly request: SeenRequest }) {
  const Icon = request.refused ? IconCircleX : IconCircleCheck;
  return (
    <span className={classes['status']}>
      <Icon
        size={16}
        role="img"
        aria-label={request.refused ? 'Refused' : 'Accepted'}
        color={`var(--mantine-color-${request.refused ? 'danger' : 'teal'}-text)`}
      />
      <span className="mono">{statusWords(request)}</span>
    </span>
  );
}

const isNobody = ({ device_id, key, token }: SeenRequest) =>
  device_id === null && key === null && token === null;

/** The device, the API key, or the beginning of the token of who sent it. */
export function whoWords({ device_id, key, token }: SeenRequest, places: Places): string {
  if (device_id !== null) return places.devices.get(device_id) ?? `Device ${device_id.slice(0, 8)}`;
  if (key !== null) return key.name === '' ? `API key ${key.id.slice(0, 8)}` : key.name;
  if (token !== null) return `unknown token ${token === '' ? '' : `${token}…`}`;
  return 'without a token';
}
