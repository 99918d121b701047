import { Button, Group, Loader, Popover, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { parseInstant } from '#shared/values/time.ts';
import { May } from '../../../components/work/may.tsx';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { outcomeWords, storedWords } from '../../../components/facts/requests/request-words.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import { countOf } from '../../../format.ts';
import { requestsOf } from '../../../stores/requests/requests.ts';
import classes from './connect-panel.module.css';

interface ListeningProps {
  readonly project_id: string;
  readonly device_id: string;
  /** Records that the device has by now. */
  readonly records: number;
  readonly hasToken: boolean;
}

/** Whether anything comes, as it comes; and a way to try it without the device. */
export function Listening({ project_id, device_id, records, hasToken }: ListeningProps) {
  requestsOf.useWatch(device_id);
  const { value } = requestsOf.useValue(device_id);
  const [before] = useState(records);
  return (
    <div className={classes['listening']}>
      <div className={classes['state']} role="status" aria-label="Listening" aria-live="polite">
        <State requests={value ?? []} isFirst={before === 0} more={records - before} />
      </div>
      {hasToken && (
        <May to="requests.send-test">
          <SendTest project_id={project_id} device_id={device_id} />
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

/** Asks before it does it: what it sends is stored. */
function SendTest({ project_id, device_id }: { readonly project_id: string; readonly device_id: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const send = async () => {
    setIsSending(true);
    setRefusal(null);
    try {
      const { accepted, message } = await ask('requests.send-test', { project_id, device_id });
      if (accepted) setIsOpen(false);
      else setRefusal(message);
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" width={340} trapFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconSend size={16} />}
          onClick={() => {
            setRefusal(null);
            setIsOpen(!isOpen);
          }}
        >
          Send a test reading…
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Send a test reading">
        <Stack gap="sm">
          <Text size="sm">
            Sends <code className="mono">temperature 21.5</code> as the device would: through its own door,
            with its token. It is stored as a record of this device, like any other.
          </Text>
          {refusal !== null && (
            <Text size="sm" c="danger" role="alert">
              {refusal}
            </Text>
          )}
          <Group gap="xs" justify="flex-end">
            <Button variant="default" size="xs" onClick={() => setIsOpen(false)}>
              Cancel
            </Button>
            <Button size="xs" loading={isSending} data-autofocus onClick={() => void send()}>
              Send and store it
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
