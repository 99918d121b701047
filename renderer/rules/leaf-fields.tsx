import { ActionIcon, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { normalText } from '../components/facts/key-words.ts';
import { KeyField, type KnownKey } from './key-field.tsx';
import type { LeafChoice, LeafDraft, LeafField } from './leaf-draft.ts';
import classes from './rules.module.css';

interface LeafFieldsProps {
  readonly leaf: LeafDraft;
  /** Counted from 1. */
  readonly place: number;
  readonly keys: readonly KnownKey[];
  readonly settings: KeySettings;
  readonly problemOf: (field: LeafField) => string | undefined;
  readonly disabled: boolean;
  readonly onChange: (leaf: LeafDraft) => void;
  /** Null for the only one. */
  readonly onRemove: (() => void) | null;
}

const CHOICES: readonly { readonly value: LeafChoice; readonly label: string }[] = [
  { value: 'above', label: 'is above' },
  { value: 'below', label: 'is below' },
  { value: 'outside', label: 'is outside of limits' },
  { value: 'normal', label: 'is outside its normal range' },
  { value: 'change', label: 'changes by more than' },
  { value: 'is', label: 'is in a state' },
  { value: 'silent_s', label: 'sends nothing' },
];

/** Fields behind each choice, in their order; `unit`: they are of the key's. */
const FIELDS: Readonly<
  Record<LeafChoice, readonly { readonly field: LeafField; readonly label: string; readonly unit?: true }[]>
> = {
  above: [
    { field: 'limit', label: 'Limit', unit: true },
    { field: 'hysteresis', label: 'Hysteresis', unit: true },
  ],
  below: [
    { field: 'limit', label: 'Limit', unit: true },
    { field: 'hysteresis', label: 'Hysteresis', unit: true },
  ],
  outside: [
    { field: 'low', label: 'Below', unit: true },
    { field: 'high', label: 'Above', unit: true },
    { field: 'hysteresis', label: 'Hysteresis', unit: true },
  ],
  normal: [{ field: 'hysteresis', label: 'Hysteresis', unit: true }],
  change: [
    { field: 'change', label: 'By more than', unit: true },
    { field: 'within', label: 'Within' },
  ],
  is: [{ field: 'states', label: 'State' }],
  silent_s: [{ field: 'silence', label: 'For' }],
};
const PLACEHOLDERS: Readonly<Partial<Record<LeafField, string>>> = {
  hysteresis: '0',
  states: 'open, ajar',
  within: '10 min',
  silence: '15 min',
};
const HYSTERESIS = 'How far back it has to come before this ends: it does not flutter about the limit then.';

/** Condition: its key, what that has to do, and the numbers of it. */
export function LeafFields({
  leaf,
  place,
  keys,
  settings,
  problemOf,
  disabled,
  onChange,
  onRemove,
}: LeafFieldsProps) {
  const { choice } = leaf;
  const { unit } = settings;
  const hasRange = settings.low !== null || settings.high !== null;
  return (
    <div role="group" aria-label={`Condition ${place}`} className={classes['leaf']}>
      <div className={classes['pair']}>
        <KeyField
          label="Key"
          value={leaf.key}
          keys={keys}
          {...(choice === 'silent_s' && { none: 'any record' })}
          error={problemOf('key')}
          disabled={disabled}
          onChange={(key) => onChange({ ...leaf, key })}
        />
        <NativeSelect
          label="Condition"
          value={choice}
          disabled={disabled}
          data={[...CHOICES]}
          onChange={({ currentTarget }) => onChange({ ...leaf, choice: currentTarget.value as LeafChoice })}
          {...(choice === 'normal' && {
            description: hasRange ? normalText(settings) : 'It has none: set one on Keys.',
            inputWrapperOrder: ['label', 'input', 'description', 'error'],
          })}
        />
        {onRemove && (
          <Tooltip label="Remove">
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove condition ${place}`}
              disabled={disabled}
              onClick={onRemove}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <div className={classes['numbers']}>
        {FIELDS[choice].map(({ field, label, unit: isOfUnit }) => (
          <TextInput
            key={field}
            label={isOfUnit && unit !== '' ? `${label} (${unit})` : label}
            {...(PLACEHOLDERS[field] !== undefined && { placeholder: PLACEHOLDERS[field] })}
            {...(field === 'hysteresis' && { title: HYSTERESIS })}
            {...(isOfUnit && { inputMode: 'decimal' as const })}
            value={leaf[field]}
            disabled={disabled}
            onChange={({ currentTarget }) => onChange({ ...leaf, [field]: currentTarget.value })}
            error={problemOf(field)}
            autoComplete="off"
            spellCheck={false}
          />
        ))}
      </div>
    </div>
  );
}
