import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { useOffline } from '../bridge/connection.ts';
import { useMay } from '../bridge/distant.ts';
import { Problem } from '../components/work/problem.tsx';
import { ActFields } from './act-fields.tsx';
import { ConditionFields } from './condition-fields.tsx';
import { KeyField, type KnownKey } from './key-field.tsx';
import { LONGEST_NAME, type RuleDraft } from './rule-draft.ts';
import classes from './rules.module.css';
import { focusRefused } from '../components/dialog/focus-refused.ts';

interface RuleFormProps {
  readonly draft: RuleDraft;
  readonly keys: readonly KnownKey[];
  readonly settingsOf: (key: string) => KeySettings;
  readonly tags?: readonly string[];
  /** The condition in words; null while it is not whole. */
  readonly words: string | null;
  /** Why it was not switched on. */
  readonly hint: string | null;
  readonly problemOf: (field: string) => string | undefined;
  /** Fault of none of the fields. */
  readonly problem: string | null;
  readonly isNew: boolean;
  readonly isChanged: boolean;
  /** Whether the saved one is switched on. */
  readonly isOn: boolean;
  readonly busy: boolean;
  readonly onChange: (part: Partial<RuleDraft>) => void;
  readonly onDiscard: () => void;
  readonly onClose: () => void;
  /** Returns whether it was in order. */
  readonly onSave: (enabled: boolean) => boolean;
}

/** A rule in fields: its name, its conditions, what is done then. */
export function RuleForm({
  draft,
  keys,
  settingsOf,
  tags,
  words,
  hint,
  problemOf,
  problem,
  ...rest
}: RuleFormProps) {
  const { isNew, isChanged, isOn, busy, onChange, onSave } = rest;
  const form = useRef<HTMLFormElement>(null);
  const name = useRef<HTMLInputElement>(null);
  // What is written first has the focus, as in a dialog.
  useEffect(() => name.current?.focus(), []);
  const offline = useOffline();
  const mayChange = useMay(isNew ? 'functions.create' : 'functions.update');
  const disabled = !mayChange;
  const isSaved = !isNew && !isChanged;
  // It keeps the focus once it has saved.
  const isIdle = offline || (isSaved && isOn);
  const save = (enabled: boolean) => {
    if (offline || busy || (isSaved && enabled === isOn)) return;
    if (!onSave(enabled)) setTimeout(() => focusRefused(form.current));
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="rule-what">
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save(true);
        }}
      >
        <Stack gap="sm">
          <Title order={2} size="h5" id="rule-what">
            {isNew ? 'New rule' : 'Rule'}
          </Title>
          <TextInput
            ref={name}
            label="Name"
            placeholder="Boiler too hot"
            value={draft.name}
            maxLength={LONGEST_NAME}
            disabled={disabled}
            onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
            error={problemOf('name')}
            autoComplete="off"
          />
          {draft.tag !== null && (
            <KeyField
              label="Devices with the tag"
              none="boiler"
              value={draft.tag}
              keys={(tags ?? []).map((tag) => ({ key: tag, label: tag }))}
              disabled={disabled}
              onChange={(tag) => onChange({ tag })}
              error={problemOf('tag')}
            />
          )}
          <ConditionFields {...{ draft, keys, settingsOf, problemOf, disabled, onChange }} />
          {words !== null && (
            <Text size="sm" className={classes['words'] ?? ''} data-testid="rule-words">
              When {words}
            </Text>
          )}
          <Title order={3} size="h6">
            Then
          </Title>
          <ActFields
            acts={draft.acts}
            values={draft.values}
            problemOf={problemOf}
            disabled={disabled}
            onChange={(acts) => onChange({ acts })}
            onValues={(values) => onChange({ values })}
          />
          {problem !== null && <Problem message={problem} />}
          <Text size="sm" role="status" c="dimmed" mih={hint === null ? 0 : 20}>
            {hint}
          </Text>
          <Group gap="xs" justify="flex-end">
            <Button
              variant="subtle"
              mr="auto"
              {...(isChanged && { title: 'What is written is kept until the window is closed' })}
              onClick={rest.onClose}
            >
              Close
            </Button>
            {isChanged && (
              <Button variant="subtle" onClick={rest.onDiscard}>
                Discard
              </Button>
            )}
            {mayChange && (
              <>
                <Button variant="default" disabled={busy || offline || isSaved} onClick={() => save(false)}>
                  Save, off
                </Button>
                <Button
                  type="submit"
                  loading={busy}
                  data-disabled={isIdle || undefined}
                  aria-disabled={isIdle}
                >
                  {!isNew && isOn ? 'Save' : 'Save and switch on'}
                </Button>
              </>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
