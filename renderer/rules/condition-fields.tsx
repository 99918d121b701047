import { ActionIcon, Button, SegmentedControl, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { whenWords } from '#shared/domain/words/rule-words.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { ruleCalled } from '../components/alarms/rule-called.ts';
import type { KnownKey } from './key-field.tsx';
import { LeafFields } from './leaf-fields.tsx';
import { isKept, withOneMore, type ItemDraft, type RuleDraft } from './rule-draft.ts';
import classes from './rules.module.css';

interface ConditionFieldsProps {
  readonly draft: RuleDraft;
  readonly keys: readonly KnownKey[];
  readonly settingsOf: (key: string) => KeySettings;
  readonly problemOf: (field: string) => string | undefined;
  readonly disabled: boolean;
  readonly onChange: (part: Partial<RuleDraft>) => void;
}

/** Conditions of a rule, how they go together, and for how long. */
export function ConditionFields({
  draft,
  keys,
  settingsOf,
  problemOf,
  disabled,
  onChange,
}: ConditionFieldsProps) {
  const { items, join, lasts } = draft;
  const put = (id: string, next: ItemDraft) =>
    onChange({ items: items.map((item) => (item.id === id ? next : item)) });
  const remove = (id: string) => onChange({ items: items.filter((item) => item.id !== id) });
  return (
    <Stack gap="xs">
      {items.length > 1 && (
        <SegmentedControl
          aria-label="How the conditions go together"
          size="xs"
          value={join}
          disabled={disabled}
          onChange={(next) => onChange({ join: next === 'any' ? 'any' : 'all' })}
          data={[
            { value: 'all', label: 'All of these' },
            { value: 'any', label: 'Any of these' },
          ]}
        />
      )}
      {items.map((item, at) =>
        isKept(item) ? (
          <div key={item.id} role="group" aria-label={`Condition ${at + 1}`} className={classes['removable']}>
            <Text size="sm" className={classes['kept'] ?? ''}>
              {whenWords(item.when, ruleCalled(settingsOf))}
            </Text>
            <Tooltip label="Remove">
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={`Remove condition ${at + 1}`}
                disabled={disabled || items.length === 1}
                onClick={() => remove(item.id)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          </div>
        ) : (
          <LeafFields
            key={item.id}
            leaf={item}
            place={at + 1}
            keys={keys}
            settings={settingsOf(item.key)}
            problemOf={(field) => problemOf(`${item.id}.${field}`)}
            disabled={disabled}
            onChange={(next) => put(item.id, next)}
            onRemove={items.length > 1 ? () => remove(item.id) : null}
          />
        ),
      )}
      {!disabled && (
        <Button
          size="compact-sm"
          variant="subtle"
          w="fit-content"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange({ items: withOneMore(items) })}
        >
          Add a condition
        </Button>
      )}
      <TextInput
        label="For at least"
        placeholder="at once"
        w={200}
        value={lasts}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange({ lasts: currentTarget.value })}
        error={problemOf('lasts')}
        autoComplete="off"
        spellCheck={false}
      />
    </Stack>
  );
}
