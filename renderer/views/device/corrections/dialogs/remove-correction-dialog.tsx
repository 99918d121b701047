import { Text } from '@mantine/core';
import { FormDialog } from '../../../../components/dialog/form-dialog.tsx';
import { AskedReasonField, useAskedReason } from '../../../../components/dialog/reason-field.tsx';
import { useSubmit } from '../../../../components/dialog/use-submit.ts';
import { closeDialog, type OfCorrection } from '../../../../stores/dialog.ts';
import { removeCorrection } from '../change-corrections.ts';

/** Asks why a correction is removed; where no project asks, it is removed at once. */
export function RemoveCorrectionDialog({ project_id, correction, line }: OfCorrection) {
  const asked = useAskedReason(project_id);
  const submit = useSubmit(async () => {
    await removeCorrection(project_id, correction, line, asked.why);
    closeDialog();
  });
  return (
    <FormDialog
      title="Remove the correction?"
      action="Remove correction"
      submit={submit}
      fields={asked.fields}
      focusAction={!asked.isAsked}
    >
      <Text size="sm" dir="auto">
        {line}
      </Text>
      <Text size="sm">It stays in the history.</Text>
      <AskedReasonField {...asked} problem={submit.error} />
    </FormDialog>
  );
}
