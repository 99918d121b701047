import { Text } from '@mantine/core';
import type { OtherService } from '#shared/operations/service/other-services.ts';
import { askHome } from '../../bridge/ask.ts';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { sayDone } from '../../components/work/notices.ts';
import { closeDialog } from '../../stores/dialog.ts';
import { otherServicesChanged } from '../../stores/other-services.ts';

/** Removes a service and its key. */
export function RemoveServiceDialog({ service: { id, name } }: { readonly service: OtherService }) {
  const submit = useSubmit(async () => {
    await askHome('other-services.remove', { service_id: id });
    otherServicesChanged();
    closeDialog();
    sayDone('Service removed', `“${name}” is not listed here any more.`);
  });
  return (
    <FormDialog title={`Remove “${name}”`} action="Remove" submit={submit} focusAction danger>
      <Text size="sm">
        Its address, what was trusted and its API key are forgotten here, and windows that look at it end.
        Nothing changes there: the API key goes on working until it is revoked there.
      </Text>
    </FormDialog>
  );
}
