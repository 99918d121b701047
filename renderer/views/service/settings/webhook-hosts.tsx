import { Button, Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ask } from '../../../bridge/ask.ts';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { settings } from '../../../stores/storage.ts';
import { Part } from '../parts.tsx';

/** Names and networks of one's own that webhooks may reach; refused input stays, with the reason. */
export function WebhookHosts({ now }: { readonly now: readonly string[] }) {
  const [typed, setTyped] = useState<string | null>(null);
  const saved = now.join('\n');
  const isChanged = typed !== null && typed.trim() !== saved;
  const submit = useSubmit(async () => {
    await ask('settings.update', { webhook_hosts: (typed ?? '').split(/[\s,]+/).filter(Boolean) });
    setTyped(null);
    settings.reload();
  });
  return (
    <Part title="Webhooks of rules">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) submit.run();
        }}
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
        <Group gap="xs" mt="sm">
          <Button type="submit" loading={submit.busy} disabled={!isChanged}>
            Apply
          </Button>
          {isChanged && (
            <Button variant="default" onClick={() => setTyped(null)}>
              Leave them as they are
            </Button>
          )}
        </Group>
      </form>
      <Text size="sm" c="dimmed">
        Webhooks reach public addresses. Those of this machine and of its networks are refused unless they are
        named here.
      </Text>
    </Part>
  );
}
