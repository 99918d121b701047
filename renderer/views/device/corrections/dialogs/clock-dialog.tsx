import { Group, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { GivenCorrection, ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { formatMicros, parseInstant } from '#shared/values/time.ts';
import { shownSpans } from '../../../../chart/corrections/stored-time.ts';
import { correctionWords } from '../../../../components/corrections/correction-words.ts';
import { useCalled } from '../../../../components/corrections/use-called.ts';
import { errorOf } from '../../../../components/dialog/field-error.ts';
import { FormDialog } from '../../../../components/dialog/form-dialog.tsx';
import { ReasonField } from '../../../../components/dialog/reason-field.tsx';
import { useSubmit } from '../../../../components/dialog/use-submit.ts';
import { spanText } from '../../../../components/facts/span-words.ts';
import { useCorrections } from '../../../../stores/corrections.ts';
import { closeDialog } from '../../../../stores/dialog.ts';
import { useKeySettings } from '../../../../stores/key-settings.ts';
import type { Correcting } from '../fields/correcting.ts';
import { addCorrections, changeCorrection } from '../change-corrections.ts';
import {
  clockDraftOf,
  clockFields,
  momentsOf,
  type ClockFields,
  type ClockMoment,
  type ClockWay,
} from './clock-draft.ts';
import { FormerNote } from '../fields/former-note.tsx';
import { SeveralSpans, SpanFields } from '../fields/span-fields.tsx';
import { spanProblems } from '../fields/span-problems.ts';
import { useTimeEntry, type TimeEntry } from '../fields/use-time-entry.ts';

const WAYS: readonly { readonly value: ClockWay; readonly label: string }[] = [
  { value: 'length', label: 'By how much' },
  { value: 'one', label: 'One moment' },
  { value: 'two', label: 'Two moments' },
];

/** Puts the clock of a device right over a span: by how much it was off, or by what it said at known moments. */
export function ClockDialog({ project_id, device, zone, spans, shift_us, correction }: Correcting) {
  const device_id = device.id;
  const of = { project_id, device_id };
  const called = useCalled(of, useKeySettings(project_id), zone);
  const { list } = useCorrections(project_id, device_id);
  const [draft, setDraft] = useState(() => clockDraftOf(correction, shift_us));
  const [told] = useState(() => momentsOf(correction));
  const [reason, setReason] = useState(correction?.reason ?? '');
  const [tried, setTried] = useState(false);
  const [first] = spans;
  const several = spans.length > 1;
  const from = useTimeEntry(first?.from ?? parseInstant(correction?.from ?? ''), zone, 'from');
  const to = useTimeEntry(first?.to ?? parseInstant(correction?.to ?? ''), zone, 'to');
  const moments = [
    { device: useTimeEntry(told[0].device, zone, 'from'), right: useTimeEntry(told[0].right, zone, 'from') },
    { device: useTimeEntry(told[1].device, zone, 'from'), right: useTimeEntry(told[1].right, zone, 'from') },
  ] as const;
  const read = clockFields(draft, [atOf(moments[0]), atOf(moments[1])]);
  const wrong = several ? { from: null, to: null } : spanProblems(from, to);
  const marked = several ? spans : from.at === null || to.at === null ? [] : [{ from: from.at, to: to.at }];
  const given = marked.map((span) => ({ from: formatMicros(span.from), to: formatMicros(span.to) }));
  const submit = useSubmit(async () => {
    setTried(true);
    if (!('fields' in read) || wrong.from !== null || wrong.to !== null) return;
    const why = reason.trim() === '' ? null : reason.trim();
    const words = {
      title: 'Clock put right',
      message: correctionWords({ kind: 'time', ...shownOf(read.fields) }, called),
    };
    const [span] = given;
    if (correction && span)
      await changeCorrection(project_id, correction, { ...span, ...read.fields, reason: why }, words);
    else {
      const all = given.map((each): GivenCorrection => ({
        kind: 'time',
        ...each,
        ...read.fields,
        reason: why,
      }));
      await addCorrections(of, all, words);
    }
    closeDialog();
  });
  const shown = (field: 'from' | 'to') => (tried ? wrong[field] : null) ?? errorOf(submit.error, field);
  const refused =
    errorOf(submit.error, 'shift_us') ??
    errorOf(submit.error, 'at') ??
    (tried && 'problem' in read ? read.problem : null);
  return (
    <FormDialog
      title={correction ? 'Change the clock' : `The clock of “${device.name}” was wrong`}
      action={correction ? 'Save' : 'Put right'}
      submit={submit}
      fields={['from', 'to', 'shift_us', 'at', 'reason']}
      size="lg"
    >
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Known by"
        value={draft.way}
        onChange={(way) => setDraft({ ...draft, way })}
        data={[...WAYS]}
      />
      {draft.way === 'length' ? (
        <Group align="flex-start" wrap="nowrap">
          <TextInput
            flex={1}
            label="The clock was off by"
            placeholder="1 h, 2 h 5 min, 12.5 s"
            value={draft.length}
            onChange={(event) => setDraft({ ...draft, length: event.currentTarget.value })}
            error={refused}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <SegmentedControl
            mt={25}
            aria-label="It was"
            value={draft.is}
            onChange={(is) => setDraft({ ...draft, is })}
            data={[
              { value: 'ahead', label: 'Ahead' },
              { value: 'behind', label: 'Behind' },
            ]}
          />
        </Group>
      ) : (
        <Stack gap={4}>
          {moments.slice(0, draft.way === 'one' ? 1 : 2).map(({ device: said, right }, place) => (
            <SimpleGrid key={place} cols={{ base: 1, sm: 2 }} spacing="sm">
              <MomentField label="The device said" entry={said} isFirst={place === 0} />
              <MomentField label="It was" entry={right} />
            </SimpleGrid>
          ))}
          {refused !== null && (
            <Text size="sm" c="danger" role="alert">
              {refused}
            </Text>
          )}
        </Stack>
      )}
      {several ? (
        <SeveralSpans spans={spans} zone={zone} />
      ) : (
        <SpanFields {...{ from, to }} isStored errors={{ from: shown('from'), to: shown('to') }} />
      )}
      <Text size="sm" c="dimmed" role="status">
        {'fields' in read && given[0] !== undefined ? resultWords(given[0], read.fields) : ' '}
      </Text>
      <ReasonField
        project_id={project_id}
        placeholder="summer time was not switched off"
        value={reason}
        onChange={setReason}
        error={errorOf(submit.error, 'reason')}
      />
      {spans.length > 0 && <FormerNote {...of} {...{ spans, called }} />}
    </FormDialog>
  );

  /** `clock 1 h ahead: moved back, to 2026-… – …`. */
  function resultWords(span: { readonly from: string; readonly to: string }, fields: ClockFields): string {
    const clock: ShownCorrection = { ...NOTHING, device_id, ...span, ...shownOf(fields) };
    const [start, end] = [parseInstant(span.from), parseInstant(span.to)];
    const words = correctionWords(clock, called);
    if (start === null || end === null || end < start) return words;
    const moved = shownSpans([clock], { from: start, to: end }, 'corrected').map((place) =>
      spanText(place.from, place.to, zone),
    );
    const others = list.some(({ kind, id }) => kind === 'time' && id !== correction?.id);
    return `${words}, to ${moved.join('; ')}.${others ? ' Of two of one moment the newer one holds.' : ''}`;
  }
}

const NOTHING = { kind: 'time', id: '', version: 1, created: '', changed: '', by: '' } as const;

const atOf = ({ device, right }: { readonly device: TimeEntry; readonly right: TimeEntry }): ClockMoment => ({
  device: device.at,
  right: right.at,
});

/** Fields as answers have them. */
const shownOf = ({ shift_us, at }: ClockFields) => ({
  ...(typeof shift_us === 'number' && { shift_us }),
  ...(at && { at }),
});

interface MomentFieldProps {
  readonly label: string;
  readonly entry: TimeEntry;
  readonly isFirst?: boolean;
}

function MomentField({ label, entry, isFirst = false }: MomentFieldProps) {
  return (
    <TextInput
      label={label}
      placeholder="2026-11-19 18:00:05"
      value={entry.text}
      onChange={(event) => entry.set(event.currentTarget.value)}
      error={entry.problem}
      autoComplete="off"
      spellCheck={false}
      data-autofocus={isFirst || undefined}
    />
  );
}
