import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ask } from '../../../bridge/ask.ts';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { settings } from '../../../stores/storage.ts';
import { ChangeForm } from './change-form.tsx';

/** Names and networks of one's own that webhooks may reach; refused input stays, with the reason. */
export function WebhookHosts({ now }: { readonly now: readonly string[] }) {
  const [typed, setTyped] = useState<string | null>(null);
  const saved = now.join('\n');
  const submit = useSubmit(async () => {
    await ask('settings.update', { webhook_hosts: (typed ?? '').split(/[\s,]+/).filter(Boolean) });
    setTyped(null);
    settings.reload();
  });
  return (
    <ChangeForm
      title="Webhooks of rules"
      submit={submit}
      isChanged={typed !== null && typed.trim() !== saved}
      leave="Leave them as they are"
      onLeave={() => setTyped(null)}
      below={
        <Text size="sm" c="dimmed">
          Webhooks reach public addresses. Those of this machine and of its networks are refused unless they
          are named here.
        </Text>
      }
    >
      <Textarea
        w={{ base: '100%', xs: 460 }}
        label="Names and networks that they may reach"
        description="One a line, such as hooks.lab.example, *.lab.example or 10.0.0.0/8."
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        value={typed ?? saved}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={submit.error?.replace(/^webhook_hosts(\.\d+)? /, '')}
      />
    </ChangeForm>
  );
}
