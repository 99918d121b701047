import { Button, Group, Text } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { signOut } from '../../bridge/console-session.ts';
import { loadAnew } from '../../bridge/place.ts';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { Problem } from '../../components/work/problem.tsx';
import { Part } from './parts.tsx';

/** How long the browser stays let in, and the way out. */
export function ThisBrowser() {
  const submit = useSubmit(async () => {
    await signOut();
    loadAnew();
  });
  return (
    <Part title="This browser">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm">
          Signed in, also after a restart of the service, where it was opened by this machine’s own address;
          until a week passes without a window, or it signs out.
        </Text>
        <Button
          size="xs"
          variant="default"
          flex="none"
          leftSection={<IconLogout size={14} />}
          loading={submit.busy}
          onClick={submit.run}
        >
          Sign out
        </Button>
      </Group>
      {submit.error !== null && <Problem message={submit.error} />}
    </Part>
  );
}
