import { Button } from '@mantine/core';
import { IconWaveSine } from '@tabler/icons-react';
import { ask } from '../../bridge/ask.ts';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { Problem } from '../../components/work/problem.tsx';
import { goTo } from '../../router.ts';

/** Makes a small building of simulated devices, to look at the app with, and goes there. */
export function TrySimulated() {
  const submit = useSubmit(async () => {
    const { id } = await ask('simulators.building', {});
    goTo({ screen: 'devices', project_id: id });
  });
  return (
    <>
      <Button
        variant="default"
        loading={submit.busy}
        leftSection={<IconWaveSine size={16} />}
        onClick={submit.run}
      >
        Try it with simulated devices
      </Button>
      {submit.error !== null && <Problem message={submit.error} />}
    </>
  );
}
