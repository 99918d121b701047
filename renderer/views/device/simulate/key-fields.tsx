import { ActionIcon, Select, TextInput, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { SHAPES } from '#shared/domain/shapes.ts';
import { firstFields, readShape, SHAPE_FIELDS, SHAPE_LABELS, type KeyDraft } from './shape-draft.ts';
import { ShapePreview } from './shape-preview.tsx';
import classes from './simulate-dialog.module.css';
import { intervalOf, seedOf, type DraftProblems } from './simulation-draft.ts';

interface KeyFieldsProps {
  readonly draft: KeyDraft;
  readonly every: string;
  readonly seed: string;
  readonly problems: DraftProblems;
  /** Absent for the only key. */
  readonly onRemove?: () => void;
  readonly onChange: (draft: KeyDraft) => void;
}

/** A key, its shape, and what that looks like. */
export function KeyFields({ draft, every, seed, problems, onRemove, onChange }: KeyFieldsProps) {
  const { id, key, shape, fields } = draft;
  const read = readShape(draft);
  const [every_ms, drawn] = [intervalOf(every), seedOf(seed)];
  const name = key.trim();
  return (
    <div
      role="group"
      aria-label={name === '' ? 'Key without a name' : `Key ${name}`}
      className={classes['key']}
    >
      <div className={classes['key-fields']}>
        <TextInput
          label="Key"
          w={150}
          value={key}
          error={problems[`key ${id}`]}
          spellCheck={false}
          onChange={(event) => onChange({ ...draft, key: event.currentTarget.value })}
        />
        <Select
          label="Shape"
          w={140}
          allowDeselect={false}
          data={SHAPES.map((value) => ({ value, label: SHAPE_LABELS[value] }))}
          value={shape}
          onChange={(next) => {
            const chosen = SHAPES.find((one) => one === next);
            if (chosen) onChange({ ...draft, shape: chosen, fields: firstFields(chosen) });
          }}
        />
        {Object.entries(SHAPE_FIELDS[shape]).map(([field, { label, kind }]) => (
          <TextInput
            key={`${shape} ${field}`}
            label={label}
            w={kind === 'values' ? 190 : 92}
            value={fields[field] ?? ''}
            error={problems[`key ${id} ${field}`]}
            spellCheck={false}
            onChange={(event) =>
              onChange({ ...draft, fields: { ...fields, [field]: event.currentTarget.value } })
            }
          />
        ))}
      </div>
      <div className={classes['beside']}>
        {'shape' in read && every_ms !== null && drawn !== null ? (
          <ShapePreview name={name || 'No name yet'} shape={read.shape} seed={drawn} every_ms={every_ms} />
        ) : (
          <div className={classes['preview']} />
        )}
        {onRemove && (
          <Tooltip label="Remove">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={name === '' ? 'Remove the key without a name' : `Remove the key ${name}`}
              onClick={onRemove}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </div>
  );
}
