import { Button, Loader, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { parseInstant } from '#shared/values/time.ts';
import { May } from '../../../components/work/may.tsx';
import { outcomeWords, storedWords } from '../../../components/facts/requests/request-words.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import { countOf } from '../../../format.ts';
import { requestsOf } from '../../../stores/requests/requests.ts';
import classes from './connect-panel.module.css';
import { MESSAGE_FIELD } from './send-message.tsx';

interface ListeningProps {
  readonly device_id: string;
  /** Records that the device has by now. */
  readonly records: number;
  readonly hasToken: boolean;
}

/** Leads to the message, which may lie below. */
function write(): void {
  const field = document.getElementById(MESSAGE_FIELD);
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}

/** Whether anything comes, as it comes; and a way to try it without the device. */
export function Listening({ device_id, records, hasToken }: ListeningProps) {
  requestsOf.useWatch(device_id);
  const { value } = requestsOf.useValue(device_id);
  const [before] = useState(records);
  return (
    <div className={classes['listening']}>
      <div className={classes['state']} role="status" aria-label="Listening" aria-live="polite">
        <State requests={value ?? []} isFirst={before === 0} more={records - before} />
      </div>
      {hasToken && (
        <May to="requests.send">
          <Button variant="default" leftSection={<IconSend size={16} />} onClick={write}>
            Send a message…
          </Button>
        </May>
      )}
    </div>
  );
}

function State({
  requests,
  isFirst,
  more,
}: {
  readonly requests: readonly SeenRequest[];
  readonly isFirst: boolean;
  /** Records that the device has since this is shown. */
  readonly more: number;
}) {
  const stored = requests.find((request) => request.stored > 0);
  const [newest] = requests;
  if (newest?.refused && newest !== stored)
    return (
      <>
        <IconCircleX size={18} aria-hidden color="var(--mantine-color-danger-text)" />
        <Text span size="sm">
          <At request={newest} /> refused: {outcomeWords(newest)}
        </Text>
      </>
    );
  if (stored)
    return (
      <>
        <IconCircleCheck size={18} aria-hidden color="var(--mantine-color-teal-text)" />
        <Text span size="sm">
          <At request={stored} /> {isFirst ? 'first reading' : 'last reading'}: {storedWords(stored)}
        </Text>
      </>
    );
  // Another of a lab's services may have stored them, or somebody imports.
  if (more > 0)
    return (
      <>
        <IconCircleCheck size={18} aria-hidden color="var(--mantine-color-teal-text)" />
        <Text span size="sm">
          {countOf(more, 'new record')}, not by a request to this service
        </Text>
      </>
    );
  return (
    <>
      <Loader size={14} type="dots" aria-hidden />
      <Text span size="sm" c="dimmed">
        Listening… {newest ? 'signed in, no reading yet' : 'no request yet'}
      </Text>
    </>
  );
}

const At = ({ request }: { readonly request: SeenRequest }) => (
  <Moment at={parseInstant(request.time) ?? 0} clock />
);
