import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useCallback, type ReactNode } from 'react';
import type { Impact } from '#shared/schema/schemas.ts';
import type { DeletedCounts } from '#shared/schema/schemas.ts';
import { parseInstant } from '#shared/values/time.ts';
import { useOffline } from '../../bridge/connection.ts';
import { may } from '../../bridge/distant.ts';
import { countOf, formatBytes, formatCount } from '../../format.ts';
import { closeDialog } from '../../stores/dialog.ts';
import { FormDialog } from './form-dialog.tsx';
import { Moment } from '../facts/moment.tsx';
import { sayDone } from '../work/notices.ts';
import { countWordsOf } from '../facts/deleted-words.ts';
import { announceDeleted, readUntil, type KeptUntil } from '../work/undo-toast.tsx';
import { requireSame } from '../work/delete-ways.ts';
import { Problem } from '../work/problem.tsx';
import { useJob, type JobOf } from '../work/use-job.ts';
import { useRead } from '../work/use-read.ts';
import { listenToImpact, type Why } from '../../stores/undo/deletes.ts';
import { AskedReasonField, useAskedReason } from './reason-field.tsx';
import { RemovedTable } from './removed-table.tsx';
import { MANY_RECORDS, TypeToConfirm, useTyped } from './type-to-confirm.tsx';
import { useSubmit } from './use-submit.ts';
import { WorkProgress } from '../work/work-progress.tsx';
import { Loading } from '../work/loading.tsx';

/** The end of every warning of what is final. */
export const CANNOT_BE_UNDONE = 'This cannot be undone.';

interface ConfirmDeleteProps {
  readonly title: string;
  readonly action: string;
  /** Warning, in a sentence; whether it can be undone is said after it. */
  readonly warning: string;
  /** Name of the subject. It has to be typed for a large or permanent delete. */
  readonly name: string;
  /** Whether only records go, so that functions and widgets need no mention. */
  readonly recordsOnly?: boolean;
  /** Reads what would go. A function of its own for each dialog: it is called again when it changes. */
  readonly readImpact: () => Promise<Impact>;
  /** The long work that the act becomes. */
  readonly work: JobOf;
  /** The project that may ask for a reason; null: nobody is asked, as what goes was deleted before. */
  readonly project_id: string | null;
  /** Does it, for the reason that was entered where the project asks for one; resolves with what went, and how it is had back unless it went for good. */
  readonly act: (why: Why) => Promise<Deletion>;
  readonly forGood?: boolean;
  /** Says that it is done, by what went, such as `3 records`. */
  readonly done: (what: string) => string;
  readonly onDone?: () => void;
}

interface Deletion {
  readonly deleted: DeletedCounts;
  readonly undo?: KeptUntil;
}

/** The last step before something goes: exactly what would go, until when it can be had back, then the act. */
export function ConfirmDelete(props: ConfirmDeleteProps) {
  const { project_id, readImpact, act, name, work, forGood = false, ...text } = props;
  const { project_id: in_project, device_id } = work;
  const changes = useCallback(
    (changed: () => void) => listenToImpact(in_project, device_id, changed, { isLive: true }),
    [in_project, device_id],
  );
  const { value: impact, error: problem, retry, readNow } = useRead(readImpact, { changes });
  const { value: until } = useRead(readUntil);
  const offline = useOffline();
  const confirmed = useTyped(name);
  const job = useJob(work);
  const asked = useAskedReason(project_id);
  const { why } = asked;
  /** The same as at first, of what can be had back, for the same reason. */
  async function actAgain() {
    const { deleted, undo } = await act(why);
    if (!undo) throw new TypeError('the delete cannot be undone any more');
    return { deleted, undo };
  }
  const submit = useSubmit(async () => {
    const { deleted: now } = await readNow();
    // Records are let come: a device that measures has more at every moment.
    if (impact) requireSame({ ...impact.deleted, records: now.records }, now);
    const { deleted, undo } = await act(why);
    closeDialog();
    text.onDone?.();
    const what = countWordsOf(deleted);
    if (undo)
      announceDeleted(
        text.done(what),
        { deleted, undo },
        { count: async () => (await readImpact()).deleted, act: actAgain },
      );
    else sayDone(text.done(what), `${what} removed.`);
  });
  const isTyped = forGood || (impact !== null && impact.deleted.records > MANY_RECORDS);

  return (
    <FormDialog
      title={text.title}
      action={text.action}
      submit={submit}
      disabled={(isTyped && !confirmed.isRight) || impact === null}
      focusAction={!isTyped && !asked.isAsked}
      fields={asked.fields}
      danger
    >
      {forGood ? (
        <Alert color="danger" variant="light" icon={<IconAlertTriangle size={18} />} p="sm">
          <Text size="sm">
            {text.warning} {CANNOT_BE_UNDONE}
          </Text>
        </Alert>
      ) : (
        <Text size="sm">
          {text.warning} {until}
        </Text>
      )}
      {!offline && problem !== null && <Problem message={problem} onRetry={retry} />}
      {!offline && problem === null && !impact && <Loading h={120} label="Counting what would be removed" />}
      {impact && <ImpactTable impact={impact} recordsOnly={text.recordsOnly ?? false} />}
      <AskedReasonField {...asked} problem={submit.error} />
      {isTyped && <TypeToConfirm label="Type the name to confirm" word={name} {...confirmed} />}
      {submit.busy && (
        <WorkProgress
          label={text.action}
          done={job?.done ?? 0}
          total={job?.total ?? null}
          format={(done) => (job ? countOf(done, job.unit.slice(0, -1)) : 'Working…')}
        />
      )}
    </FormDialog>
  );
}

function ImpactTable({ impact, recordsOnly }: { readonly impact: Impact; readonly recordsOnly: boolean }) {
  const { deleted, first, last } = impact;
  const rows: [string, ReactNode][] = [];
  if (!recordsOnly && deleted.devices !== undefined) rows.push(['Devices', formatCount(deleted.devices)]);
  rows.push(['Data', countOf(deleted.records, 'record')]);
  if (first !== null) rows.push(['First record', <MomentOf key="first" text={first} />]);
  if (last !== null) rows.push(['Last record', <MomentOf key="last" text={last} />]);
  if (may('devices.impact')) rows.push(['Size on disk', formatBytes(impact.bytes)]);
  if (!recordsOnly) {
    if (deleted.functions) rows.push(['Functions', formatCount(deleted.functions)]);
    if (deleted.widgets) rows.push(['Widgets', formatCount(deleted.widgets)]);
    if (impact.widgets_trimmed > 0)
      rows.push(['Widgets kept', `${countOf(impact.widgets_trimmed, 'widget')} would lose a source`]);
  }
  return <RemovedTable rows={rows} />;
}

function MomentOf({ text }: { readonly text: string }) {
  const at = parseInstant(text);
  return at === null ? text : <Moment at={at} />;
}
