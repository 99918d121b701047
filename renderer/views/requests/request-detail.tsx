import { Alert, Anchor, Button, CloseButton, Group, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconTable, IconTerminal2 } from '@tabler/icons-react';
import { useCallback, useEffect, useId, useRef, type ReactNode } from 'react';
import type { ExplainedRequest, SeenRequest } from '#shared/operations/service/requests.ts';
import { formatMicros, parseInstant } from '#shared/values/time.ts';
import { ask } from '../../bridge/ask.ts';
import { useMay } from '../../bridge/distant.ts';
import { Moment } from '../../components/facts/moment.tsx';
import { Excerpt } from '../../components/facts/requests/excerpt.tsx';
import { FaultBadge } from '../../components/facts/requests/fault-badge.tsx';
import {
  doorWords,
  kindOf,
  outcomeWords,
  storedAt,
  storedWords,
  tookWords,
} from '../../components/facts/requests/request-words.ts';
import { Loading } from '../../components/work/loading.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { useRead } from '../../components/work/use-read.ts';
import { formatCount } from '../../format.ts';
import { hrefTo } from '../../router.ts';
import { Status, whoWords } from './request-columns.tsx';
import type { Places } from './request-filter.ts';
import classes from './requests-screen.module.css';

interface RequestDetailProps {
  readonly request_id: string;
  /** As the list has it; undefined where it is none of the last. */
  readonly row: SeenRequest | undefined;
  readonly places: Places;
  readonly onClose: () => void;
}

/** One request: its rule, who and what it was of, the beginnings of its body and answer, and how to send it again. */
export function RequestDetail({ request_id, row, places, onClose }: RequestDetailProps) {
  const may = useMay('requests.get');
  const { value, error, retry } = useRead<ExplainedRequest | null>(
    useCallback(() => (may ? ask('requests.get', { request_id }) : Promise.resolve(null)), [may, request_id]),
  );
  const change = row?.change;
  const readAs = useRef(change);
  useEffect(() => {
    if (readAs.current === change) return;
    readAs.current = change;
    // Others were counted to it.
    retry();
  }, [change, retry]);
  const request = row ?? value;
  const title = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <section
      aria-labelledby={title}
      className={classes['detail']}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className={classes['title']}>
        <h2 id={title} ref={heading} tabIndex={-1} className="mono">
          {request ? `${request.method} ${request.path}` : `Request ${request_id}`}
        </h2>
        <CloseButton aria-label="Close the request" onClick={onClose} />
      </div>
      <div className={classes['facts']}>
        {error !== null && <Problem message={error} onRetry={retry} />}
        {request === null && error === null && <Loading h={160} label="Loading the request" />}
        {request && (
          <>
            <Outcome request={request} rule={value?.rule ?? null} />
            <Facts request={request} places={places} />
            {typeof value?.curl === 'string' && (
              <CopyCurl curl={value.curl} isCut={request.body?.endsWith('…') === true} />
            )}
            <Beginning label="Body" text={request.body} none={noBody(request)} />
            <Beginning label="Answer" text={request.response_head} none="Not kept over MQTT." />
          </>
        )}
      </div>
    </section>
  );
}

const noBody = ({ stored }: SeenRequest) => (stored > 0 ? 'Its records were deleted.' : 'None.');

function Outcome({
  request,
  rule,
}: {
  readonly request: SeenRequest;
  readonly rule: ExplainedRequest['rule'] | null;
}) {
  return (
    <div>
      <div className={classes['outcome']}>
        <Status request={request} />
        <span>{outcomeWords(request)}</span>
        <FaultBadge request={request} />
      </div>
      {rule && (
        <Text size="sm" c="dimmed" mt={6} role="note" aria-label="Rule">
          {rule.text} <span className={classes['section']}>({rule.section})</span>
        </Text>
      )}
    </div>
  );
}

function Facts({ request, places }: { readonly request: SeenRequest; readonly places: Places }) {
  const { device_id, project_id, key, token, stored, more, from } = request;
  const project = places.projects.get(project_id ?? '');
  const isDevice = device_id !== null && project_id !== null;
  return (
    <dl className={classes['list-of-facts']}>
      <Fact name="Time">
        <Moment at={parseInstant(request.time) ?? 0} />
      </Fact>
      <Fact name="Door">
        {doorWords(request)} from <span className="mono">{from}</span>
      </Fact>
      {kindOf(request) !== request.method && (
        <Fact name="Operation">
          <span className="mono">{kindOf(request)}</span>
        </Fact>
      )}
      {isDevice && (
        <Fact name="Device">
          <Anchor href={hrefTo({ screen: 'device', project_id, device_id, tab: 'chart' })} inherit>
            {whoWords(request, places)}
          </Anchor>
        </Fact>
      )}
      {project_id !== null && (
        <Fact name="Project">
          {project === undefined ? (
            <span className="mono">{project_id}</span>
          ) : (
            <Anchor href={hrefTo({ screen: 'devices', project_id })} inherit>
              {project}
            </Anchor>
          )}
        </Fact>
      )}
      {key !== null && <Fact name="API key">{key.name || key.id}</Fact>}
      {token !== null && (
        <Fact name="Token">
          unknown; it begins with <span className="mono">{token || 'nothing that could be shown'}</span>
        </Fact>
      )}
      <Fact name="Took">{tookWords(request)}</Fact>
      {more > 0 && <Fact name="Like it">{formatCount(more)} more within the same second</Fact>}
      {stored > 0 && isDevice && (
        <Fact name="Stored">
          {storedWords(request)}{' '}
          <Anchor
            href={hrefTo({
              screen: 'device',
              project_id,
              device_id,
              tab: 'table',
              list: { open: formatMicros(storedAt(request)) },
            })}
            inherit
          >
            <IconTable size={14} aria-hidden className={classes['inline'] ?? ''} /> Show in the table
          </Anchor>
        </Fact>
      )}
    </dl>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

interface BeginningProps {
  readonly label: string;
  readonly text: string | null;
  /** What is said where there is none. */
  readonly none: string;
}

function Beginning({ label, text, none }: BeginningProps) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
        {text?.endsWith('…') === true && ', its beginning'}
      </Text>
      {text === null ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <Excerpt label={label} text={text} />
      )}
    </div>
  );
}

function CopyCurl({ curl, isCut }: { readonly curl: string; readonly isCut: boolean }) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 });
  const secret = /\$(KEY|TOKEN)\b/.exec(curl)?.[0];
  return (
    <div>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} /> : <IconTerminal2 size={16} />}
          onClick={() => copy(curl)}
        >
          {copied ? 'Copied' : 'Copy as curl'}
        </Button>
        <Text size="xs" c="dimmed" flex={1}>
          {secret !== undefined && `${secret} stands for the secret.`}
          {isCut && ' The body is cut at its end: complete it before it is sent.'}
        </Text>
      </Group>
      {error && (
        <Alert color="danger" role="alert" mt="xs" p="xs">
          It could not be copied ({error.message}): {curl}
        </Alert>
      )}
    </div>
  );
}
