import { Button, Group, SegmentedControl, Stack, Text, Textarea, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconSend } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import type { Source } from '#shared/domain/sources.ts';
import type { DoorAnswer } from '#shared/operations/service/requests.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { Excerpt } from '../../../components/facts/requests/excerpt.tsx';
import { useRead } from '../../../components/work/use-read.ts';
import { exampleOf, replyText, replyWords, whyUnread } from './message-words.ts';

/** Id of the field, for who wants to write at once. */
export const MESSAGE_FIELD = 'message-to-send';

const FORMS = [
  { value: 'application/json', label: 'JSON' },
  { value: 'application/x-ndjson', label: 'NDJSON' },
] as const;
type Form = (typeof FORMS)[number]['value'];

/** How a message goes out, in words. */
const WAYS: Readonly<Record<Source, (device_id: string) => string>> = {
  http: () => 'POST /integrations/http with the token of the device.',
  mqtt: (device_id) => `PUBLISH to the topic ${device_id}, QoS 1, MQTT 5, with the token of the device.`,
};

/** What was written and not sent, by device: another tab does not lose it. */
const drafts = new Map<string, string>();

interface SendMessageProps {
  readonly project_id: string;
  readonly device_id: string;
  readonly source: Source;
}

/** A message of one's own, sent through the device's own door, and what that answered. */
export function SendMessage({ project_id, device_id, source }: SendMessageProps) {
  // Once: an example that changed with each record could not be read.
  const read = useCallback(() => ask('key-facts.list', { project_id, device_id }), [project_id, device_id]);
  const { value: facts, error: unreadable } = useRead(read);
  const example = facts === null && unreadable === null ? '' : exampleOf(facts ?? []);
  const [draft, setDraft] = useState(drafts.get(device_id) ?? null);
  const [form, setForm] = useState<Form>('application/json');
  const [isSending, setIsSending] = useState(false);
  const [answer, setAnswer] = useState<DoorAnswer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (draft === null) drafts.delete(device_id);
    else drafts.set(device_id, draft);
  }, [device_id, draft]);
  const payload = draft ?? example;
  const unread = draft === null ? null : whyUnread(draft, form === 'application/x-ndjson');
  const send = async () => {
    if (isSending) return;
    setIsSending(true);
    setProblem(null);
    setAnswer(null);
    // What is sent is what stays: values that come meanwhile do not write over it.
    setDraft(payload);
    try {
      setAnswer(await ask('requests.send', { project_id, device_id, payload, content_type: form }));
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <Stack gap="sm">
      <Title order={2} size="h5" id="connect-send">
        Send a message
      </Title>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {WAYS[source](device_id)} What is accepted is stored as a record of this device, like any other.
      </Text>
      <Textarea
        id={MESSAGE_FIELD}
        label="Message"
        autosize
        minRows={2}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        value={payload}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void send();
        }}
      />
      {unread !== null && (
        <Text size="xs" c="dimmed">
          {unread} It is sent as it is, so that the answer can be seen.
        </Text>
      )}
      <Group gap="xs" justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label="Form of the message"
          value={form}
          onChange={setForm}
          data={[...FORMS]}
        />
        <Group gap="xs">
          <Button variant="default" disabled={draft === null} onClick={() => setDraft(null)}>
            Example
          </Button>
          <Button
            leftSection={<IconSend size={16} />}
            loading={isSending}
            onClick={() => void send()}
            title="Ctrl Enter in the message"
          >
            Send and store it
          </Button>
        </Group>
      </Group>
      <div role="status" aria-label="Answer">
        {answer && <Answer answer={answer} />}
      </div>
      {problem !== null && (
        <Text size="sm" c="danger" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}

function Answer({ answer }: { readonly answer: DoorAnswer }) {
  const { accepted, message } = answer;
  const Icon = accepted ? IconCircleCheck : IconCircleX;
  const text = replyText(answer);
  return (
    <Stack gap={6}>
      <Group gap={8} wrap="nowrap" align="flex-start">
        <Icon
          size={18}
          role="img"
          aria-label={accepted ? 'Accepted' : 'Refused'}
          color={`var(--mantine-color-${accepted ? 'teal' : 'danger'}-text)`}
          style={{ flex: 'none' }}
        />
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <span className="mono">{replyWords(answer) ?? 'No answer'}</span> · {message}
        </Text>
      </Group>
      {text !== null && <Excerpt label="Answer as the device gets it" text={text} />}
    </Stack>
  );
}
