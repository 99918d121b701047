import { Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isWidgetType, MOST_TEXT, TABLE_SHOWS, type WidgetPlace } from '#shared/domain/dashboard.ts';
import type { Widget } from '#shared/schema/schemas.ts';
import { ALL, labelOfRange, RANGES } from '../../../chart/time/range.ts';
import { errorOf } from '../../../components/dialog/field-error.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { saveWidget } from '../change-widgets.ts';
import { SourceFields } from './source-fields.tsx';
import { draftOf, fieldsOf, type DraftProblem, type WidgetDraft } from './widget-draft.ts';

interface WidgetDialogProps {
  readonly project_id: string;
  readonly widget?: Widget;
  readonly placeOf: (type: string) => WidgetPlace;
}

const TYPES = [
  { value: 'chart', label: 'Chart' },
  { value: 'value', label: 'Last values' },
  { value: 'state', label: 'States' },
  { value: 'table', label: 'Table' },
  { value: 'alarms', label: 'Alarms' },
  { value: 'text', label: 'Note' },
];
const SHOWS = { values: 'Last values', records: 'Newest records of the first device' } as const;

/** Makes a widget, or changes one. */
export function WidgetDialog({ project_id, widget, placeOf }: WidgetDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(widget, 'local'));
  const [problem, setProblem] = useState<DraftProblem | null>(null);
  const change = (part: Partial<WidgetDraft>) => {
    setDraft({ ...draft, ...part });
    setProblem(null);
  };
  const submit = useSubmit(async () => {
    const found = fieldsOf(draft, widget, { place: placeOf(draft.type), zone: 'local' });
    if ('problem' in found) return setProblem(found.problem);
    await saveWidget(project_id, widget ?? null, found.fields);
    closeDialog();
  });
  const { type, range } = draft;
  const errorIn = (field: DraftProblem['field']) =>
    problem?.field === field ? problem.text : field === 'title' ? errorOf(submit.error, field) : null;
  // One of other programs keeps its type.
  const types = isWidgetType(type) ? TYPES : [...TYPES, { value: type, label: type }];
  const hasSpan = type === 'chart' || type === 'state' || !isWidgetType(type);
  return (
    <FormDialog
      title={widget ? `Change “${widget.title}”` : 'Add a widget'}
      action={widget ? 'Save' : 'Add widget'}
      submit={submit}
      fields={['title']}
      size="lg"
    >
      <TextInput
        label="Title"
        value={draft.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
        error={errorIn('title')}
        maxLength={100}
        autoComplete="off"
        dir="auto"
        data-autofocus
      />
      <Select
        label="Type"
        data={types}
        value={type}
        allowDeselect={false}
        onChange={(next) => next !== null && change({ type: next })}
      />
      {type === 'text' ? (
        <Textarea
          label="Text"
          value={draft.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          maxLength={MOST_TEXT}
          autosize
          minRows={4}
          maxRows={12}
          dir="auto"
        />
      ) : (
        type !== 'alarms' && (
          <SourceFields
            project_id={project_id}
            sources={draft.sources}
            problem={problem !== null && 'place' in problem ? problem : null}
            onChange={(sources) => change({ sources })}
          />
        )
      )}
      {type === 'table' && (
        <Select
          label="Shows"
          data={TABLE_SHOWS.map((value) => ({ value, label: SHOWS[value] }))}
          value={draft.shows}
          allowDeselect={false}
          onChange={(next) => change({ shows: next === 'records' ? 'records' : 'values' })}
        />
      )}
      {hasSpan && (
        <Select
          label="Span"
          data={rangesWith(range)}
          value={range}
          allowDeselect={false}
          onChange={(next) => next !== null && change({ range: next })}
        />
      )}
      {hasSpan && range === 'fixed' && (
        <>
          <TextInput
            label="From"
            value={draft.from}
            onChange={(event) => change({ from: event.currentTarget.value })}
            error={errorIn('from')}
            autoComplete="off"
          />
          <TextInput
            label="To"
            value={draft.to}
            onChange={(event) => change({ to: event.currentTarget.value })}
            error={errorIn('to')}
            autoComplete="off"
          />
        </>
      )}
    </FormDialog>
  );
}

/** Choices of a span, with the one that it is. */
function rangesWith(range: string) {
  const usual = RANGES.filter(({ value }) => value !== ALL);
  const isUsual = ['dashboard', 'fixed'].includes(range) || usual.some(({ value }) => value === range);
  return [
    { value: 'dashboard', label: 'As the dashboard' },
    ...usual,
    ...(isUsual ? [] : [{ value: range, label: labelOfRange(range) }]),
    { value: 'fixed', label: 'From … to …' },
  ];
}
