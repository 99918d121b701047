import { Text } from '@mantine/core';
import type { ApiKey } from '#shared/schema/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { CANNOT_BE_UNDONE } from '../../components/dialog/confirm-delete.tsx';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { sayDone } from '../../components/work/notices.ts';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { closeDialog } from '../../stores/dialog.ts';
import { apiKeysChanged } from '../../stores/service.ts';

export function RevokeKeyDialog({ apiKey }: { readonly apiKey: ApiKey }) {
  const submit = useSubmit(async () => {
    await ask('keys.revoke', { key_id: apiKey.id });
    apiKeysChanged();
    closeDialog();
    sayDone('API key revoked', `“${apiKey.name}” opens nothing any more.`);
  });
  return (
    <FormDialog title={`Revoke “${apiKey.name}”`} action="Revoke" submit={submit} danger>
      <Text size="sm">Whoever uses this key is refused from now on. {CANNOT_BE_UNDONE}</Text>
    </FormDialog>
  );
}
