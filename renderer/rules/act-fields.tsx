import { ActionIcon, Button, Checkbox, Group, Stack, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { withOneMore, type ActsDraft } from './acts-draft.ts';
import classes from './rules.module.css';
import { WaysOut } from './ways-out.tsx';

interface ActFieldsProps {
  readonly acts: ActsDraft;
  readonly values: boolean;
  readonly problemOf: (field: string) => string | undefined;
  readonly disabled: boolean;
  readonly onChange: (acts: ActsDraft) => void;
  readonly onValues: (values: boolean) => void;
}

const LISTS = [
  {
    list: 'webhooks',
    kind: 'webhook',
    label: 'Webhook',
    placeholder: 'https://example.org/alarms',
    type: 'url',
    add: 'Add a webhook',
  },
  {
    list: 'mails',
    kind: 'mail',
    label: 'Mail to',
    placeholder: 'name@example.org, other@example.org',
    type: 'text',
    add: 'Add a mail',
  },
] as const;

/** Fields of acts, which are done when an alarm is raised. */
export function ActFields({ acts, values, problemOf, disabled, onChange, onValues }: ActFieldsProps) {
  const check = (field: 'note' | 'notify' | 'sound' | 'mqtt', label: string) => (
    <Checkbox
      label={label}
      checked={acts[field]}
      disabled={disabled}
      error={problemOf(field)}
      onChange={({ currentTarget }) => onChange({ ...acts, [field]: currentTarget.checked })}
    />
  );
  const isSent = acts.mqtt || acts.webhooks.length > 0 || acts.mails.length > 0;
  return (
    <Stack gap={8} role="group" aria-label="Then">
      {check('note', 'A note on the chart')}
      {check('notify', 'A notification of the desktop, where a window is open')}
      {acts.notify && <div className={classes['under']}>{check('sound', 'With a sound')}</div>}
      {check('mqtt', 'An MQTT message to the subscribers of the device’s alarms')}
      {LISTS.map(({ list, kind, label, placeholder, type }) =>
        acts[list].map(({ id, text }, at) => (
          <div key={id} className={classes['removable']}>
            <TextInput
              label={acts[list].length > 1 ? `${label} (${at + 1})` : label}
              placeholder={placeholder}
              type={type}
              value={text}
              disabled={disabled}
              error={problemOf(id)}
              autoComplete="off"
              spellCheck={false}
              onChange={({ currentTarget }) =>
                onChange({
                  ...acts,
                  [list]: acts[list].map((one) => (one.id === id ? { id, text: currentTarget.value } : one)),
                })
              }
            />
            <Tooltip label="Remove">
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={`Remove ${kind} ${at + 1}`}
                disabled={disabled}
                onClick={() => onChange({ ...acts, [list]: acts[list].filter((one) => one.id !== id) })}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          </div>
        )),
      )}
      <WaysOut hasWebhooks={acts.webhooks.length > 0} hasMails={acts.mails.length > 0} />
      {isSent && (
        <Checkbox
          label="Values stand in what is sent"
          checked={values}
          disabled={disabled}
          onChange={({ currentTarget }) => onValues(currentTarget.checked)}
        />
      )}
      {!disabled && (
        <Group gap="xs">
          {LISTS.map(({ list, kind, add }) => (
            <Button
              key={kind}
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPlus size={14} />}
              onClick={() => onChange({ ...acts, [list]: withOneMore(acts[list], kind) })}
            >
              {add}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}
